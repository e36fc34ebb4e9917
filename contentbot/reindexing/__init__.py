"""Rebuilding the index beside the one that is searched, from what is stored here; no site is asked for anything."""

from contentbot.reindexing.rebuild import Plan, Progress, rebuild
from contentbot.reindexing.report import Rebuilt, Reindexed

__all__ = ["Plan", "Progress", "Rebuilt", "Reindexed", "rebuild"]
