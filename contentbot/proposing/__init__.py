"""From a look at a few pages of a site to the source file that describes it; no network here."""
