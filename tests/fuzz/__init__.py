"""Bytes from outside, searched for those that do harm: what each decoder lets through must be one of the errors that
it promises.  ``python -m tests.fuzz`` searches by coverage and at length; a few seconds of it are in the test run.
"""
