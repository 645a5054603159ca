// Names for vectors of LANES float64: 4 with AVX2, 8 with AVX-512. The compiler provides
// + - * / for them.
#if LANES > 1
#include <immintrin.h>
#endif
#define inlined static inline __attribute__((always_inline))

#if LANES == 4
typedef __m256d Vec;
typedef __m256d Mask;
#define load(p) _mm256_loadu_pd((const double *)(p))
#define store(p, v) _mm256_storeu_pd((double *)(p), v)
#define all(a) _mm256_set1_pd(a)
#define root(a) _mm256_sqrt_pd(a)
#define larger(a, b) _mm256_max_pd(a, b)
#define smaller(a, b) _mm256_min_pd(a, b)
#define less(a, b) _mm256_cmp_pd(a, b, _CMP_LT_OQ)
#define atmost(a, b) _mm256_cmp_pd(a, b, _CMP_LE_OQ)
#define both(m, n) _mm256_and_pd(m, n)
#define either(m, n) _mm256_or_pd(m, n)
#define choose(m, a, b) _mm256_blendv_pd(b, a, m) // m ? a : b
#define where(m, a) _mm256_and_pd(m, a)           // m ? a : 0
#define bits(m) ((unsigned)_mm256_movemask_pd(m))
#define first(a, b) _mm256_unpacklo_pd(a, b) // x of two registers of pairs, in the order of the instruction
#define second(a, b) _mm256_unpackhi_pd(a, b)
#define ordered(a) _mm256_permute4x64_pd(a, 0xd8) // puts numbers into that order
#define ordered_back(a) ordered(a)                // restores the usual order
#define iota _mm256_set_pd(3, 2, 1, 0)
inlined double sum(Vec a) {
  __m128d b = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_add_pd(b, _mm_unpackhi_pd(b, b)));
}
inlined double largest(Vec a) {
  __m128d b = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_max_pd(b, _mm_unpackhi_pd(b, b)));
}
// pack stores the numbers whose bits are set, one after another. It overwrites the memory
// after them.
static int packing[16][8] __attribute__((aligned(32)));
__attribute__((constructor)) static void fill_packing(void) {
  for (int m = 0; m < 16; m++)
    for (int k = 0, to = 0; k < 4; k++)
      if (m >> k & 1) packing[m][2 * to] = 2 * k, packing[m][2 * to + 1] = 2 * k + 1, to++;
}
inlined void pack(double *to, unsigned set, Vec a) {
  __m256i order = _mm256_load_si256((const __m256i *)packing[set]);
  store(to, _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(a), order)));
}
#elif LANES == 8
typedef __m512d Vec;
typedef __mmask8 Mask;
#define load(p) _mm512_loadu_pd(p)
#define store(p, v) _mm512_storeu_pd(p, v)
#define all(a) _mm512_set1_pd(a)
#define root(a) _mm512_sqrt_pd(a)
#define larger(a, b) _mm512_max_pd(a, b)
#define smaller(a, b) _mm512_min_pd(a, b)
#define less(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define atmost(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ)
#define both(m, n) ((Mask)((m) & (n)))
#define either(m, n) ((Mask)((m) | (n)))
#define choose(m, a, b) _mm512_mask_blend_pd(m, b, a)
#define where(m, a) _mm512_maskz_mov_pd(m, a)
#define bits(m) ((unsigned)(m))
#define first(a, b) _mm512_unpacklo_pd(a, b)
#define second(a, b) _mm512_unpackhi_pd(a, b)
#define ordered(a) _mm512_permutexvar_pd(_mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0), a)
#define ordered_back(a) _mm512_permutexvar_pd(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), a)
#define iota _mm512_set_pd(7, 6, 5, 4, 3, 2, 1, 0)
#define sum(a) _mm512_reduce_add_pd(a)
#define largest(a) _mm512_reduce_max_pd(a)
inlined void pack(double *to, unsigned set, Vec a) { store(to, _mm512_maskz_compress_pd((Mask)set, a)); }
#endif

#if LANES > 1
#define zero all(0.0)
// below returns a mask of the lanes k, k+1, … that are below n.
inlined Mask below(int k, int n) { return less(iota, all((double)(n - k))); }
#endif
