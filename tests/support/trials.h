// SPDX-License-Identifier: MIT
// How often tests repeat random trials, and how densely they sweep. Sanitizers look for out-of-bounds accesses and
// undefined arithmetic, which takes few repetitions. Optimized builds run the full number.
#ifndef TRIALS_H
#define TRIALS_H

#ifdef SINEW_FEW_TRIALS // tests/support/CMakeLists.txt defines it with SINEW_SANITIZE
#define TRIALS(all, with_sanitizers) (with_sanitizers)
#else
#define TRIALS(all, with_sanitizers) (all)
#endif

#endif
