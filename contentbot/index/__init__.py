"""The search index: one front, a narrow protocol behind it, an adapter per engine."""
