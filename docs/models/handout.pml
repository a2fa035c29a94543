/* The hand-out: threads of one process take numbers of the current segment without a lock.
 *
 *    word: generation, offset     one step adds to the offset and tells what was there
 *    slots[generation % SLOTS]:   start (its generation), first, size
 *
 * As in tessera/segment/handout.h, with two slots instead of eight, so that a thread easily sleeps through a
 * whole round, and segments of two numbers. Never does a number reach two threads.
 *
 * As it is, it must hold. Each of these breaks it:
 *    -DREAD_THEN_WRITE    the word is read, and written by a second step
 *    -DSTART_NOT_CLEARED  a slot is filled again while its old generation stands in it
 *    -DSTART_READ_FIRST   who looks again compares the generation first, and reads the numbers then
 *    -DNO_GENERATION      only the offset is compared with the size
 */
#define SLOTS 2
#define SIZE 2
#define SEGMENTS 3   /* generations 1 .. SEGMENTS; 0 has no numbers */
#define TAKES 2      /* of one thread */
#define THREADS 2
#define NOTHING 99

typedef Slot { byte start; byte first; byte size }
Slot slots[SLOTS];
byte current = 0;          /* where the current slot should be */
byte generation = 0;       /* these two are the word */
byte offset = 0;

bool handed_out[8];        /* SIZE * (SEGMENTS + 1) */
bool twice = false;

inline hand_out(n) {
  atomic {
    if
    :: handed_out[n] -> twice = true
    :: else -> handed_out[n] = true
    fi
  }
}

active [THREADS] proctype taker() {
  byte slot, start, first, size, whose, at, takes = 0;
  do
  :: takes < TAKES ->
     takes++;
     /* take_quickly(): the slot first, then the word. */
     slot = current;
     start = slots[slot].start;
     first = slots[slot].first;
     size = slots[slot].size;
#ifdef READ_THEN_WRITE
     whose = generation;
     at = offset;
     if
     :: whose == generation -> offset = at + 1
     :: else
     fi;
#else
     atomic { whose = generation; at = offset; offset++ };
#endif
     if
#ifdef NO_GENERATION
     :: at < size -> hand_out(first + at)
#else
     :: whose == start && at < size -> hand_out(first + at)
#endif
     :: else ->
        /* look_again(): the slot that the word names; its generation is read last. */
        slot = whose % SLOTS;
#ifdef START_READ_FIRST
        start = slots[slot].start;
#endif
        first = slots[slot].first;
        size = slots[slot].size;
#ifndef START_READ_FIRST
        start = slots[slot].start;
#endif
        if
        :: start == whose && at < size -> hand_out(first + at)
        :: else                     /* nothing, or a number that is lost */
        fi
     fi;
     d_step { slot = 0; start = 0; first = 0; size = 0; whose = 0; at = 0 }   /* fewer states */
  :: else -> break
  od
}

active proctype publisher() {
  byte next = 0;
  do
  :: next < SEGMENTS ->
     next++;
#ifndef START_NOT_CLEARED
     slots[next % SLOTS].start = NOTHING;
#endif
     slots[next % SLOTS].first = next * SIZE;
     slots[next % SLOTS].size = SIZE;
     slots[next % SLOTS].start = next;
     current = next % SLOTS;
     atomic { generation = next; offset = 0 }
  :: else -> break
  od
}

ltl once { [] !twice }
