/* Segments: processes draw ranges of numbers from one store, and hand them out.
 *
 *    process: cache --draw--> store: max_id, kept before it answers
 *             witness         (what a restarted process remembers: the largest number it was given)
 *
 * Whatever happens, in any order: an answer is lost, a process is killed and starts again, the scope ends, a
 * backup of the store is restored (with -DREWIND). Never is a number handed out twice.
 *
 * As it is, it must hold. Each of these breaks it, where nothing else is said:
 *    -DREAD_THEN_WRITE   max_id is read, and written by a second statement
 *    -DANSWER_TOO_SOON   the store answers before it keeps what it says; a fail-over goes back
 *    -DGIVE_BACK         who lost an answer, or ends, gives his range back
 *    -DSHARED_BY_FORK    a forked child goes on with its parent's cache
 *    -DWRAP              a scope that is at its end begins again
 *    -DREWIND            holds: a process that has seen more refuses what a restored store gives
 *    -DREWIND -DNO_WITNESS   nobody compares
 *    -DREWIND -DTWO      two processes: the one that draws first may never have seen more. This is the limit
 *                        that the promise names; a restore must end with `advance`:
 *    -DREWIND -DTWO -DADVANCE    holds again
 */
#define STEP 2
#define END 10      /* the scope has the numbers 0 .. END - 1: fewer than are asked for */
#if defined(REWIND) && !defined(TWO)
#define PROCESSES 1
#else
#define PROCESSES 2
#endif
#ifdef TWO
#define DRAWS 2     /* of one process */
#else
#define DRAWS 3
#endif

byte max_id = 0;    /* the first number that nobody has drawn */
byte kept = 0;      /* what of it outlives a fail-over */
byte backup = 0;
byte highest = 0;   /* first number above all that was ever drawn; for `advance` only */

bool handed_out[END];
bool twice = false;

inline hand_out(n) {
  atomic {
    if
    :: handed_out[n] -> twice = true
    :: else -> handed_out[n] = true
    fi
  }
}

inline forget() { first = 0; end = 0 }

proctype process() {
  byte first = 0, end = 0;   /* the cache: first .. end - 1 */
  byte seen = 0;             /* the witness: first number above all that this process was given */
  byte range = 0, draws = 0;
  bool refused = false;      /* store_rewound: no number until somebody has looked */
#ifdef SHARED_BY_FORK
  byte child_first = 0, child_end = 0;
#endif
  do
  /* Draws when the cache is empty. */
  :: first == end && draws < DRAWS && !refused ->
     draws++;
#ifdef READ_THEN_WRITE
     range = max_id;
     if
     :: range + STEP <= END -> max_id = range + STEP
     :: else -> break
     fi;
#else
     atomic {
       if
#ifdef WRAP
       :: max_id + STEP > END -> max_id = 0
#else
       :: max_id + STEP > END -> break       /* exhausted */
#endif
       :: else
       fi;
       range = max_id;
       max_id = max_id + STEP;
       if :: max_id > highest -> highest = max_id :: else fi;
#ifndef ANSWER_TOO_SOON
       kept = max_id
#endif
     };
#endif
     if
     :: atomic {                             /* the answer arrives */
          if
#ifndef NO_WITNESS
          :: range < seen -> refused = true
#endif
          :: else -> first = range; end = range + STEP; seen = end
          fi
        }
#ifdef GIVE_BACK
     :: atomic { max_id = max_id - STEP; range = 0 }
#else
     :: range = 0                            /* it is lost: a gap */
#endif
     fi
  :: first < end -> hand_out(first); first++
  /* kill -9, and started again. The witness was written before the first number went out. */
  :: atomic { first < end ->
#ifdef GIVE_BACK
       max_id = max_id - (end - first);
#endif
       forget()
#ifdef NO_WITNESS
       ; seen = 0
#endif
     }
#ifdef SHARED_BY_FORK
  :: atomic { first < end && child_first == child_end -> child_first = first; child_end = end }
  :: child_first < child_end -> hand_out(child_first); child_first++
#endif
  :: first == end && (draws == DRAWS || refused) -> break
  od
}

#ifdef REWIND
/* An operator: saves the store at some moment, and puts it back at a later one, once. */
proctype restore() {
  backup = max_id;
  atomic {
    max_id = backup;
#ifdef ADVANCE
    max_id = highest;
#endif
    kept = max_id
  }
}
#endif

#ifdef ANSWER_TOO_SOON
/* What was answered and not kept is gone with the fail-over, once. */
proctype fail_over() {
  if
  :: atomic { max_id = kept }
  :: atomic { kept = max_id }
  fi
}
#endif

init {
  atomic {
    byte i = 0;
    do
    :: i < PROCESSES -> run process(); i++
    :: else -> break
    od;
#ifdef REWIND
    run restore();
#endif
#ifdef ANSWER_TOO_SOON
    run fail_over();
#endif
  }
}

ltl once { [] !twice }
