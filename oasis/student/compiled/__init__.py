"""The learners on integer arrays, compiled by numba; what they have to do is said by `oasis.student.learners`."""
