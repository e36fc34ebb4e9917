"""`python -m contentbot` is the command `contentbot`."""

from contentbot.cli import main

if __name__ == "__main__":
    main()
