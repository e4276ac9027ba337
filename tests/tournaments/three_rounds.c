// Simulated annealing for three rounds at tables of four and five, by the rules R1 ... R9 of tests/tournaments/krcg.py.
//
// Arguments: entrants, tables of five, tables of four, restarts, swaps per restart, seed, and lower bounds of the sums of
// squares in R3 and R8. Prints the best schedule found: the entrant, from 0, at each seat of rounds 2 and 3; round 1 seats
// the entrants in order. The search ends early at a schedule that only breaks rules by these bounds. `three_rounds.py`
// compiles and runs it.
//
// The same arguments give the same result on every machine that computes exp() alike, because nothing depends on time.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, MAX_ENTRANTS = 64, RELATIONS = 6, SEATS = 9 };
enum { APART, PREY, GRAND_PREY, GRAND_PREDATOR, PREDATOR, ACROSS };

typedef unsigned __int128 Value;  // all rules in one number; R1 in the highest bits

// The lowest bit of each rule, from R1 to R9. A rule's sum is below 2 to the power of the distance to the rule before it.
static const int SHIFT[] = {0, 100, 90, 74, 62, 54, 43, 33, 13, 0};
// What annealing pays for each violation: not enough to forbid any, because then it would get stuck. Only the best schedule
// is chosen by R1, then R2, and so on. R3 and R8 are sums of squares.
static const double PRICE[] = {0, 16, 12, 4, 8, 8, 8, 8, 1, 1};
static const double HOT = 15, COLD = 0.2, LESS_COLD = 0.05;  // temperatures; the last one differs by restart

static int entrants, tables, first_of[MAX_ENTRANTS], size_of[MAX_ENTRANTS];
static int table_at[MAX_ENTRANTS], seat_at[MAX_ENTRANTS];
static int occupant[ROUNDS][MAX_ENTRANTS], best[ROUNDS][MAX_ENTRANTS];
static uint8_t relation[ROUNDS][MAX_ENTRANTS][MAX_ENTRANTS];
static uint8_t sitting[ROUNDS][MAX_ENTRANTS];
static Value pair_value[RELATIONS * RELATIONS * RELATIONS], entrant_value[SEATS * SEATS * SEATS];
static double pair_price[RELATIONS * RELATIONS * RELATIONS], entrant_price[SEATS * SEATS * SEATS];
static int mean_size, mean_transfers;  // rounded sums over three rounds
static uint64_t state;

static uint32_t word(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 32);
}

static double chance(void) { return word() / 4294967296.0; }

static void weigh(const int *counts, Value *value, double *price) {
  *value = 0;
  *price = 0;
  for (int rule = 1; rule <= 9; rule++) {
    *value += (Value)counts[rule] << SHIFT[rule];
    *price += counts[rule] * PRICE[rule];
  }
}

static void weigh_pairs(void) {
  for (int code = 0; code < RELATIONS * RELATIONS * RELATIONS; code++) {
    int kinds[] = {code / 36, code / 6 % 6, code % 6}, times[RELATIONS] = {0}, counts[10] = {0};
    for (int round = 0; round < ROUNDS; round++) times[kinds[round]]++;
    int meetings = ROUNDS - times[APART], adjacent = times[PREY] + times[PREDATOR];
    counts[1] = (times[PREY] > 1) + (times[PREDATOR] > 1);
    counts[2] = meetings > 2;
    counts[4] = meetings > 1;
    for (int kind = PREY; kind <= ACROSS; kind++) counts[6] += times[kind] > 1;
    counts[9] = (adjacent > 1) + (meetings - adjacent > 1);
    weigh(counts, &pair_value[code], &pair_price[code]);
  }
}

static void weigh_entrants(void) {
  for (int code = 0; code < SEATS * SEATS * SEATS; code++) {
    int kinds[] = {code / 81, code / 9 % 9, code % 9}, times[5] = {0}, counts[10] = {0};
    int sizes = 0, transfers = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int seat = kinds[round] < 4 ? kinds[round] : kinds[round] - 4;
      times[seat]++;
      sizes += kinds[round] < 4 ? 4 : 5;
      transfers += seat < 4 ? seat + 1 : 4;
    }
    counts[3] = (sizes - mean_size) * (sizes - mean_size);
    counts[5] = times[4] > 1;
    for (int seat = 0; seat < 5; seat++) counts[7] += times[seat] > 1;
    counts[8] = (transfers - mean_transfers) * (transfers - mean_transfers);
    weigh(counts, &entrant_value[code], &entrant_price[code]);
  }
}

static int pair_code(int one, int other) {
  return relation[0][one][other] * 36 + relation[1][one][other] * 6 + relation[2][one][other];
}

static int entrant_code(int entrant) {
  return sitting[0][entrant] * 81 + sitting[1][entrant] * 9 + sitting[2][entrant];
}

static int kind_of(int size, int steps) {
  static const int of_four[] = {APART, PREY, ACROSS, PREDATOR};
  return size == 4 ? of_four[steps] : steps;
}

static void place(int round, int position, int entrant) {
  occupant[round][position] = entrant;
  sitting[round][entrant] = (uint8_t)(size_of[table_at[position]] == 4 ? seat_at[position] : seat_at[position] + 4);
}

static void relate(int round, int table, int between) {
  int first = first_of[table], size = size_of[table];
  for (int one = 0; one < size; one++)
    for (int other = 0; other < size; other++)
      if (one != other)
        relation[round][occupant[round][first + one]][occupant[round][first + other]] =
            (uint8_t)(between ? kind_of(size, (other - one + size) % size) : APART);
}

// The entrants at the two tables of a swap; only pairs of these can change.
static int involved[10], involved_count;

static void involve(int round, int one, int other) {
  int at[] = {table_at[one], table_at[other]};
  involved_count = 0;
  for (int index = 0; index < 1 + (at[0] != at[1]); index++)
    for (int seat = 0; seat < size_of[at[index]]; seat++)
      involved[involved_count++] = occupant[round][first_of[at[index]] + seat];
}

static double local_price(int a, int b) {
  double sum = entrant_price[entrant_code(a)] + entrant_price[entrant_code(b)];
  for (int index = 0; index < involved_count; index++) {
    int other = involved[index];
    if (other == a || other == b) continue;
    sum += pair_price[pair_code(a, other)] + pair_price[pair_code(b, other)];
  }
  return sum + pair_price[pair_code(a, b)];
}

static Value local_value(int a, int b) {
  Value sum = entrant_value[entrant_code(a)] + entrant_value[entrant_code(b)];
  for (int index = 0; index < involved_count; index++) {
    int other = involved[index];
    if (other == a || other == b) continue;
    sum += pair_value[pair_code(a, other)] + pair_value[pair_code(b, other)];
  }
  return sum + pair_value[pair_code(a, b)];
}

static void exchange(int round, int one, int other) {
  int a = occupant[round][one], b = occupant[round][other], here = table_at[one], there = table_at[other];
  relate(round, here, 0);
  if (here != there) relate(round, there, 0);
  place(round, one, b);
  place(round, other, a);
  relate(round, here, 1);
  if (here != there) relate(round, there, 1);
}

static Value total(void) {
  Value sum = 0;
  for (int one = 0; one < entrants; one++) {
    sum += entrant_value[entrant_code(one)];
    for (int other = 0; other < one; other++) sum += pair_value[pair_code(one, other)];
  }
  return sum;
}

static void start(void) {
  memset(relation, APART, sizeof relation);
  for (int round = 0; round < ROUNDS; round++) {
    int order[MAX_ENTRANTS];
    for (int entrant = 0; entrant < entrants; entrant++) order[entrant] = entrant;
    for (int left = entrants - 1; round && left > 0; left--) {
      int chosen = (int)(word() % (unsigned)(left + 1)), held = order[left];
      order[left] = order[chosen];
      order[chosen] = held;
    }
    for (int position = 0; position < entrants; position++) place(round, position, order[position]);
    for (int table = 0; table < tables; table++) relate(round, table, 1);
  }
}

int main(int count, char **arguments) {
  if (count != 9) return 2;
  entrants = atoi(arguments[1]);
  int fives = atoi(arguments[2]), fours = atoi(arguments[3]), restarts = atoi(arguments[4]);
  long swaps = atol(arguments[5]);
  state = (uint64_t)atoll(arguments[6]);
  tables = fives + fours;
  int position = 0, sizes = 0, transfers = 0;
  for (int table = 0; table < tables; table++) {
    size_of[table] = table < fives ? 5 : 4;
    first_of[table] = position;
    sizes += ROUNDS * size_of[table] * size_of[table];
    transfers += ROUNDS * (size_of[table] == 5 ? 14 : 10);
    for (int seat = 0; seat < size_of[table]; seat++, position++) table_at[position] = table, seat_at[position] = seat;
  }
  mean_size = (sizes + entrants / 2) / entrants;
  mean_transfers = (transfers + entrants / 2) / entrants;
  weigh_pairs();
  weigh_entrants();
  Value least = ((Value)atol(arguments[7]) << SHIFT[3]) + ((Value)atol(arguments[8]) << SHIFT[8]);
  Value lowest = ~(Value)0;
  for (int restart = 0; restart < restarts && lowest > least; restart++) {
    start();
    Value value = total();
    double temperature = HOT, cold = COLD + LESS_COLD * (restart % 4);
    double factor = pow(cold / HOT, 1.0 / (swaps / 1000.0));
    for (long step = 0; step < swaps && lowest > least; step++) {
      if (step % 1000 == 0) temperature *= factor;
      uint32_t choice = word();
      int round = 1 + (int)(choice & 1), one = (int)(word() % (unsigned)entrants), other = (int)(word() % (unsigned)entrants);
      if (choice & 6) other = first_of[table_at[one]] + other % size_of[table_at[one]];  // mostly within a table
      if (one == other) continue;
      int a = occupant[round][one], b = occupant[round][other];
      involve(round, one, other);
      double price = local_price(a, b);
      Value part = local_value(a, b);
      exchange(round, one, other);
      double change = local_price(a, b) - price;
      if (change > 0 && chance() >= exp(-change / temperature)) {
        exchange(round, one, other);
        continue;
      }
      value += local_value(a, b) - part;
      if (value < lowest) {
        lowest = value;
        memcpy(best, occupant, sizeof best);
      }
    }
  }
  for (int round = 1; round < ROUNDS; round++)
    for (int seat = 0; seat < entrants; seat++) printf("%d ", best[round][seat]);
  printf("\n");
  return 0;
}
