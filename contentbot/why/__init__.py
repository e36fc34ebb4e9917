"""Why a page is, or is not, in the index: one place that reads rules, index, page state, runs and outbox together.

It only reads, asks no site, and says nothing of a document that the caller may not read.
"""

from contentbot.why.explain import explain
from contentbot.why.explanation import Explanation, Records, Verdict

__all__ = ["Explanation", "Records", "Verdict", "explain"]
