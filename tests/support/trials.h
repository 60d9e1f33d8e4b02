// SPDX-License-Identifier: MIT
// How often tests repeat what they draw at random, and how densely they sweep. The sanitizers look for accesses out of bounds
// and undefined arithmetic, which a few repetitions reach; the optimised builds run the full number.
#ifndef TRIALS_H
#define TRIALS_H

#ifdef SINEW_FEW_TRIALS // tests/support/CMakeLists.txt defines it with SINEW_SANITIZE
#define TRIALS(all, with_sanitizers) (with_sanitizers)
#else
#define TRIALS(all, with_sanitizers) (all)
#endif

#endif
