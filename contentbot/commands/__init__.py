"""Commands that replace Scrapy's own of the same name (COMMANDS_MODULE)."""
