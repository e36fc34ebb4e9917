"""What a summary claims that can be looked for in its article: numbers, dates, names, words in quotation marks."""
