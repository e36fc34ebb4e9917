from hypothesis import given
from hypothesis import strategies as st

from contentbot.access import (
    PUBLIC,
    PUBLIC_RULE,
    Access,
    AccessRule,
    IdentityType,
    Principal,
    allow_tokens,
    allows,
    deny_tokens,
    principal_tokens,
)

NAMES = st.sampled_from(["ada", "Ada", "bob", "editors", "EDITORS", "a,b", 'quo"te', "back\\slash"])
RULES = st.lists(
    st.builds(AccessRule, identity=NAMES, identity_type=st.sampled_from(IdentityType), access=st.sampled_from(Access)),
    max_size=5,
)
PRINCIPALS = st.builds(Principal, subject=NAMES | st.just(""), roles=st.frozensets(NAMES, max_size=3))


def rule(identity: str, kind: IdentityType, access: Access = Access.READ) -> AccessRule:
    return AccessRule(identity=identity, identity_type=kind, access=access)


def test_public_document_is_readable_by_anyone():
    assert allows([PUBLIC_RULE], PUBLIC)
    assert allows([PUBLIC_RULE], Principal("ada"))


def test_document_without_rules_is_readable_by_nobody():
    assert not allows([], PUBLIC)
    assert not allows([], Principal("ada", frozenset({"admin"})))


def test_stranger_sees_no_restricted_document():
    restricted = [rule("ada", IdentityType.USER), rule("editors", IdentityType.ROLE)]
    assert not allows(restricted, PUBLIC)
    assert not allows(restricted, Principal("bob", frozenset({"readers"})))


def test_identities_compare_without_case():
    assert allows([rule("Ada@Example.org", IdentityType.USER)], Principal("ada@example.ORG"))
    assert allows([rule("Editors", IdentityType.GROUP)], Principal("bob", frozenset({"EDITORS"})))


def test_deny_of_a_role_wins_over_the_allow_of_a_user():
    rules = [rule("ada", IdentityType.USER), rule("interns", IdentityType.ROLE, Access.DENY)]
    assert allows(rules, Principal("ada"))
    assert not allows(rules, Principal("ada", frozenset({"interns"})))


def test_a_user_named_like_a_role_does_not_inherit_it():
    assert not allows([rule("editors", IdentityType.ROLE)], Principal("editors"))


def reference(rules: list[AccessRule], principal: Principal) -> bool:
    def names(one: AccessRule) -> bool:
        if one.identity_type is IdentityType.PUBLIC:
            return True
        if one.identity_type is IdentityType.USER:
            return bool(principal.subject) and one.identity.casefold() == principal.subject.casefold()
        return one.identity.casefold() in {role.casefold() for role in principal.roles}

    applying = [one.access for one in rules if names(one)]
    return bool(applying) and Access.DENY not in applying


@given(RULES, PRINCIPALS)
def test_rules_and_their_tokens_say_the_same(rules: list[AccessRule], principal: Principal):
    expected = reference(rules, principal)
    tokens = principal_tokens(principal)
    by_tokens = bool(tokens & set(allow_tokens(rules))) and not tokens & set(deny_tokens(rules))
    assert allows(rules, principal) == by_tokens == expected
