// How fast can shoes be dealt at all? Eight decks of 52 cards, the full outcome, written by hand
// for AVX2. The third-card rules come from the tableau, as macros: benchmarks/simulate.py compiles
// this with -DAGAINST=... -DSTOOD=... -DPLAYER=... -DNATURAL=... (each hand draws below its limit).
//
// Run: limit THREADS SHOES SEED. Prints coups, seconds, and the coups that Banker, Player and
// nobody won.
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CARDS = 416, CUT = CARDS - 14, SIDE_BY_SIDE = 4, SURE = 64, THREADS_MAX = 64 };
enum { CODES = 1 << 20 };  // points 4 + 4 bits, drawn 2, pairs 5 + 5

typedef struct { __m256i a, b, c, d; } Random;
typedef struct { uint64_t shoes, seed, coups; uint32_t *tally; } Job;

static uint16_t bounds[CARDS], thresholds[CARDS], places[CARDS];
static uint8_t fresh[512];

static inline __m256i load(const void *p) { return _mm256_loadu_si256(p); }
static inline __m256i byte(int x) { return _mm256_set1_epi8((char)x); }
static inline __m256i both(__m256i x, __m256i y) { return _mm256_and_si256(x, y); }
static inline __m256i either(__m256i x, __m256i y) { return _mm256_or_si256(x, y); }
static inline __m256i less(__m256i x, int limit) { return _mm256_cmpgt_epi8(byte(limit), x); }
static inline __m256i choose(__m256i mask, __m256i yes, __m256i no) { return _mm256_blendv_epi8(no, yes, mask); }
static inline __m256i last_digit(__m256i x) { return _mm256_min_epu8(x, _mm256_sub_epi8(x, byte(10))); }
static inline __m256i rotate(__m256i x, int k) { return either(_mm256_slli_epi32(x, k), _mm256_srli_epi32(x, 32 - k)); }

static inline __m256i next(Random *r) {  // xoshiro128++, eight side by side
    __m256i word = _mm256_add_epi32(rotate(_mm256_add_epi32(r->a, r->d), 7), r->a), t = _mm256_slli_epi32(r->b, 9);
    r->c = _mm256_xor_si256(r->c, r->a);
    r->d = _mm256_xor_si256(r->d, r->b);
    r->b = _mm256_xor_si256(r->b, r->c);
    r->a = _mm256_xor_si256(r->a, r->d);
    r->c = _mm256_xor_si256(r->c, t);
    r->d = rotate(r->d, 11);
    return word;
}

static Random seeded(uint64_t seed) {
    uint32_t words[32];
    for (int i = 0; i < 32; i++) {  // splitmix64
        uint64_t z = seed += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        words[i] = (uint32_t)(z >> 32 ^ z);
    }
    return (Random){load(words), load(words + 8), load(words + 16), load(words + 24)};
}

static inline void pick(Random *random, uint16_t *picks) {  // card i comes from place i to the end
    for (int i = 0; i < CARDS; i += 16) {
        __m256i bound = load(bounds + i), threshold = load(thresholds + i), word, low;
        do {
            word = next(random);
            low = _mm256_mullo_epi16(word, bound);
        } while (_mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_max_epu16(low, threshold), low)) != -1);
        _mm256_store_si256((__m256i *)(picks + i), _mm256_add_epi16(_mm256_mulhi_epu16(word, bound), load(places + i)));
    }
}

static inline void shuffle(const uint16_t *picks, uint64_t *shoe) {
    uint8_t left[CARDS];
    memcpy(left, fresh, CARDS);
    for (int word = 0; word < CARDS / 8; word++) {
        uint64_t eight = 0;
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) {
            int here = 8 * word + k, there = picks[here];
            eight |= (uint64_t)left[there] << 8 * k;
            left[there] = left[here];
        }
        shoe[word] = eight;
    }
}

// The coup that would begin at each card: points, drawn, Player's pair, Banker's pair, length in the top bits.
static inline void see(const uint8_t *shoe, uint32_t *codes) {
    const __m256i values = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0));
    const __m256i against = _mm256_broadcastsi128_si256(_mm_setr_epi8(AGAINST, 0, 0, 0, 0, 0, 0));
    const __m256i rank = byte(15), zero = _mm256_setzero_si256();
#define VALUE(k) _mm256_shuffle_epi8(values, load(shoe + i + k))
    for (int i = 0; i < CARDS; i += 32) {
        __m256i p1 = load(shoe + i), b1 = load(shoe + i + 1), p2 = load(shoe + i + 2), b2 = load(shoe + i + 3);
        __m256i p = last_digit(_mm256_add_epi8(VALUE(0), VALUE(2))), b = last_digit(_mm256_add_epi8(VALUE(1), VALUE(3)));
        __m256i third = VALUE(4), goes_on = less(_mm256_max_epu8(p, b), NATURAL);
        __m256i player_draws = both(goes_on, less(p, PLAYER));
        __m256i limit = choose(player_draws, _mm256_shuffle_epi8(against, third), byte(STOOD));
        __m256i banker_draws = both(goes_on, _mm256_cmpgt_epi8(limit, b));
        __m256i last = choose(player_draws, VALUE(5), third);
        p = last_digit(_mm256_add_epi8(p, both(player_draws, third)));
        b = last_digit(_mm256_add_epi8(b, both(banker_draws, last)));
        __m256i pp = both(both(p1, p2), _mm256_cmpeq_epi8(both(_mm256_xor_si256(p1, p2), rank), zero));
        __m256i bp = both(both(b1, b2), _mm256_cmpeq_epi8(both(_mm256_xor_si256(b1, b2), rank), zero));
        __m256i drawn = either(both(player_draws, byte(1)), both(banker_draws, byte(2)));
        __m256i length = _mm256_sub_epi8(_mm256_sub_epi8(byte(4), player_draws), banker_draws);
        __m256i first = either(p, _mm256_slli_epi16(b, 4));
        __m256i second = either(drawn, either(_mm256_slli_epi16(pp, 2), _mm256_slli_epi16(both(bp, byte(1)), 7)));
        __m256i fourth = _mm256_slli_epi16(length, 5);
        __m256i half = both(_mm256_srli_epi16(bp, 1), rank);
        __m256i x0 = _mm256_unpacklo_epi8(first, second), x1 = _mm256_unpackhi_epi8(first, second);
        __m256i y0 = _mm256_unpacklo_epi8(half, fourth), y1 = _mm256_unpackhi_epi8(half, fourth);
        __m256i z0 = _mm256_unpacklo_epi16(x0, y0), z1 = _mm256_unpackhi_epi16(x0, y0);
        __m256i z2 = _mm256_unpacklo_epi16(x1, y1), z3 = _mm256_unpackhi_epi16(x1, y1);
        _mm256_storeu_si256((__m256i *)(codes + i), _mm256_permute2x128_si256(z0, z1, 0x20));
        _mm256_storeu_si256((__m256i *)(codes + i + 8), _mm256_permute2x128_si256(z2, z3, 0x20));
        _mm256_storeu_si256((__m256i *)(codes + i + 16), _mm256_permute2x128_si256(z0, z1, 0x31));
        _mm256_storeu_si256((__m256i *)(codes + i + 24), _mm256_permute2x128_si256(z2, z3, 0x31));
    }
}

static void *deal(void *argument) {
    Job *job = argument;
    Random random = seeded(job->seed);
    _Alignas(64) uint8_t shoe[SIDE_BY_SIDE][512] = {{0}};
    _Alignas(64) uint16_t picks[CARDS];
    _Alignas(64) uint32_t codes[SIDE_BY_SIDE][CARDS + 32];
    uint32_t *tally = job->tally = calloc(CODES, sizeof *tally);
    for (uint64_t n = 0; n < job->shoes; n += SIDE_BY_SIDE) {
        uint32_t at[SIDE_BY_SIDE];
        for (int k = 0; k < SIDE_BY_SIDE; k++) {
            pick(&random, picks);
            shuffle(picks, (uint64_t *)shoe[k]);
            see(shoe[k], codes[k]);
            int number = shoe[k][0] & 15;
            at[k] = 1 + (number > 10 ? 10 : number);
        }
#define COUNT(k) { uint32_t code = codes[k][at[k]]; tally[code & (CODES - 1)]++; at[k] += code >> 29; }
        for (int coup = 0; coup < SURE; coup++) {  // so many any shoe has
#pragma GCC unroll 4
            for (int k = 0; k < SIDE_BY_SIDE; k++) COUNT(k)
        }
        job->coups += SIDE_BY_SIDE * (SURE + 1);
        for (int k = 0; k < SIDE_BY_SIDE; k++) {
            for (; at[k] < CUT; job->coups++) COUNT(k)
            COUNT(k)
        }
    }
    return NULL;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    int threads = atoi(words[1]);
    if (threads < 1 || threads > THREADS_MAX) return 2;
    for (int i = 0; i < CARDS; i++) {
        bounds[i] = CARDS - i;
        thresholds[i] = 65536 % (CARDS - i);
        places[i] = i;
        fresh[i] = (i % 13 + 1) | (i / 13 % 4 == 0) << 4;
    }
    Job jobs[THREADS_MAX] = {{0}};
    pthread_t running[THREADS_MAX];
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int t = 0; t < threads; t++) {
        jobs[t].shoes = strtoull(words[2], NULL, 10) / threads;
        jobs[t].seed = strtoull(words[3], NULL, 10) + (uint64_t)t * 0x632be59bd9b4e019u;
        pthread_create(&running[t], NULL, deal, &jobs[t]);
    }
    for (int t = 0; t < threads; t++) pthread_join(running[t], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t coups = 0, banker = 0, player = 0, tie = 0;
    for (int t = 0; t < threads; t++) {
        coups += jobs[t].coups;
        for (uint32_t code = 0; code < CODES; code++) {
            uint32_t p = code & 15, b = code >> 4 & 15, found = jobs[t].tally[code];
            *(p < b ? &banker : p > b ? &player : &tie) += found;
        }
    }
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%llu %.9f %llu %llu %llu\n", (unsigned long long)coups, seconds, (unsigned long long)banker,
           (unsigned long long)player, (unsigned long long)tie);
    return 0;
}
