"""The signals of a run, sent through Scrapy's signal manager; plain objects, so that nothing here needs Scrapy."""

# documents_indexed(documents: list[ContentDocument]): the index has confirmed them
documents_indexed = object()

# progressed(progress: Progress): at most a few times a second, and once at the end
progressed = object()

# run_finished(record: RunRecord): the record is written
run_finished = object()
