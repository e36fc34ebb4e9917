"""How the model of `contentbot.extract.blocks` is made; nothing of this is needed to use it."""
