"""Fief, phases 2 to 4: the elections of bishops, pope and king (`FI-20` to `FI-42`).

In order: `vacancies` (`FI-20`, `FI-30`, `FI-40`), `eligibility` (`FI-21`, `FI-30`, `FI-41`), `voting` (`FI-22`,
`FI-23`, `FI-31`, `FI-42`, and `FI-95` for excommunicated voters).
"""
