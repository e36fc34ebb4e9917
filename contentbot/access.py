"""Who may read what: the only place that decides it.

A document carries access rules; a principal is who asks. `allows` evaluates the rules in full. `allow_tokens` and
`deny_tokens` say the same in the form that an engine can filter by, `principal_tokens` is the caller's side of it:

    readable  ⇔  allow_tokens ∩ principal_tokens ≠ ∅  and  deny_tokens ∩ principal_tokens = ∅

Identities compare without regard to case. A deny wins over every allow. No rule at all means nobody; a source that
declares no access gets the one rule `PUBLIC_RULE`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class IdentityType(StrEnum):
    """What the identity of a rule names. The prefixes of the engine's tokens are `user`, `role` and `public`."""

    USER = "user"
    GROUP = "group"
    ROLE = "role"
    PUBLIC = "public"


class Access(StrEnum):
    """What a rule grants. Whoever may write may read."""

    READ = "read"
    WRITE = "write"
    DENY = "deny"


class AccessRule(BaseModel):
    """One line of a document's access list."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    identity: str = ""
    identity_type: IdentityType
    access: Access = Access.READ
    display_name: str = ""

    @property
    def token(self) -> str:
        """The rule's identity as the engine stores it, such as `user:ada` or `role:editors`."""
        if self.identity_type is IdentityType.PUBLIC:
            return PUBLIC_TOKEN
        # a group is a role that a directory handed out: one namespace, so that a deny reaches both
        prefix = "user" if self.identity_type is IdentityType.USER else "role"
        return f"{prefix}:{self.identity.strip().casefold()}"


PUBLIC_TOKEN = "public"  # noqa: S105 - the name of a group, no secret
PUBLIC_RULE = AccessRule(identity_type=IdentityType.PUBLIC)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: a subject and the roles that its connection proved. An empty subject is the anonymous public."""

    subject: str = ""
    roles: frozenset[str] = field(default_factory=frozenset)


PUBLIC = Principal()


def principal_tokens(principal: Principal) -> frozenset[str]:
    """Return every token the principal answers to, `public` included."""
    tokens = {PUBLIC_TOKEN} | {f"role:{role.strip().casefold()}" for role in principal.roles}
    if principal.subject:
        tokens.add(f"user:{principal.subject.strip().casefold()}")
    return frozenset(tokens)


def allow_tokens(rules: Iterable[AccessRule]) -> list[str]:
    """Return the tokens of the rules that grant reading, sorted."""
    return sorted({rule.token for rule in rules if rule.access is not Access.DENY})


def deny_tokens(rules: Iterable[AccessRule]) -> list[str]:
    """Return the tokens of the rules that refuse reading, sorted."""
    return sorted({rule.token for rule in rules if rule.access is Access.DENY})


def allows(rules: Iterable[AccessRule], principal: Principal) -> bool:
    """Say whether the principal may read a document with these rules."""
    listed, tokens = tuple(rules), principal_tokens(principal)
    return not tokens.isdisjoint(allow_tokens(listed)) and tokens.isdisjoint(deny_tokens(listed))
