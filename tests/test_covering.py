"""The cases that are left out bring nothing together that the others do not."""

import itertools

import pytest

from tests.covering import case_of, covering


def met(cases, strength):
    places = list(itertools.combinations(range(len(cases[0])), strength))
    return {(p, tuple(case[j] for j in p)) for case in cases for p in places}


@pytest.mark.parametrize("strength", [1, 2, 3])
@pytest.mark.parametrize("extents", [(4,), (3, 2), (5, 3, 2), (2, 2, 2, 2), (7, 1, 3)])
def test_values_meet_as_they_do_in_all_cases(extents, strength):
    cases = list(itertools.product(*map(range, extents)))
    some = cases[1::3]  # a test may leave out combinations itself
    for all_of in (cases, some):
        kept = [all_of[k] for k in covering(all_of, strength)]
        if len(extents) > strength:
            assert met(kept, strength) == met(all_of, strength)
        else:
            assert kept == all_of


def test_few_cases_and_every_value_meets_many():
    cases = list(itertools.product(range(6), range(2), range(2), range(2)))
    assert len(covering(cases, 2)) <= 14 and len(covering(cases, 1)) == 6
    kept = [cases[k] for k in covering(cases, 1)]
    assert all(sorted(case[j] for case in kept) == [0, 0, 0, 1, 1, 1] for j in (1, 2, 3))


@pytest.mark.parametrize("strength", [1, 2])
@pytest.mark.parametrize("extents", [(4, 5), (3, 2, 4), (2, 2, 2, 2)])
def test_what_is_met_beside_an_empty_value_is_met_elsewhere_too(extents, strength):
    cases = list(itertools.product(*map(range, extents)))
    empty = [{0} if case[0] == 0 else {1} if case[1] == 1 else set() for case in cases]
    places = covering(cases, strength, empty)
    kept, full = [cases[k] for k in places], [case for case, void in zip(cases, empty, strict=True) if not void]
    assert met([cases[k] for k in places if not empty[k]], strength) == met(full, strength)
    assert {(0, 0), (1, 1)} <= {(j, case[j]) for case in kept for j in (0, 1)}
    assert len(extents) == strength or len(kept) < len(cases)


@pytest.mark.parametrize("a", [1, 1.0, True])
@pytest.mark.parametrize(("b", "c"), [(1, 2), (1, 3)])
def test_values_are_told_apart_list_by_list(request, a, b, c):
    assert len(case_of(request.node)) == 2
    cases = [case_of(item) for item in request.session.items if getattr(item, "function", None) is request.function]
    assert len(set(cases)) in (1, 6)  # one where it was asked for alone
