/* Leases: processes hold one machine number after each other, and put times into IDs.
 *
 *    number 7   |--- A: floor 0 ... limit 2 ---|--- B: floor 2 ... limit 4 ---> ID time
 *
 * A claim begins where the limit of the one before it was, and reserves ID time up to a new limit; a raise
 * moves the limit on, if the token is still that of the last claim. Limits are kept for ever, and never sink.
 * A holder puts any time into an ID that its clock may say, from its floor on and below its limit. An ID is
 * here the time alone: one for each tick, all of one number.
 *
 * Clocks may say anything, a lease may end at any moment, a holder may not know of it, may sleep, may be
 * killed and claim again. Never is an ID made twice.
 *
 * As it is, it must hold. Each of these breaks it:
 *    -DCHECK_THEN_MINT    no time is reserved: a holder looks whether its lease has ended, then makes an ID.
 *                         All clocks are right here, and agree; it sleeps in between
 *    -DNO_FENCE           a raise does not compare the token
 *    -DFLOOR_FROM_CLOCK   a claim begins where the clock is, not at the last limit
 *    -DLIMIT_ENDS_TOO     the limit is forgotten with the lease
 *    -DGOES_ON            a restarted process goes on with its old lease, from what its clock says
 */
#define TICKS 6      /* of ID time */
#define RESERVE 2
#define CLAIMS 2     /* of one process */
#define MINTS 3      /* of one process */

byte token = 0;      /* of the last claim */
byte limit = 0;      /* first ID time that was never reserved */

bool minted[TICKS];
bool twice = false;

inline mint(ts) {
  atomic {
    if
    :: minted[ts] -> twice = true
    :: else -> minted[ts] = true
    fi
  }
}

#ifdef CHECK_THEN_MINT

byte clock = 0;      /* for all */
byte expires = 0;

active proctype time() {
  do
  :: clock < TICKS - 1 -> clock++
  :: else -> break
  od
}

active [2] proctype holder() {
  byte end = 0, mints = 0, claims = 0, ts = 0, next = 0;
  do
  :: atomic { claims < CLAIMS && clock >= expires -> claims++; end = clock + RESERVE; expires = end }
  :: mints < MINTS && clock < end ->
     mints++;
     if
     :: atomic { clock >= next -> ts = clock; next = ts + 1 }; mint(ts); ts = 0
     :: clock < next
     fi
  :: mints == MINTS || clock == TICKS - 1 -> break
  od
}

#else

active [2] proctype holder() {
  byte mine = 0;              /* the token */
  byte from = 0, end = 0;     /* ID time that may be used: from .. end - 1 */
  byte ts = 0, claims = 0, mints = 0;
  do
  /* Claims: whenever it likes, since the lease of the other may end at any moment. */
  :: atomic { claims < CLAIMS && limit + RESERVE <= TICKS ->
       claims++;
       token++;
       mine = token;
#ifdef LIMIT_ENDS_TOO
       limit = 0;
#endif
#ifdef FLOOR_FROM_CLOCK
       select (from : 0 .. TICKS - RESERVE);
       end = from + RESERVE;
       if :: end > limit -> limit = end :: else fi
#else
       from = limit;
       select (ts : 0 .. TICKS - RESERVE);       /* the clock of the store */
       if :: limit < ts -> limit = ts :: else fi;
       limit = limit + RESERVE;
       end = limit;
       ts = 0
#endif
     }
  /* Raises. */
  :: atomic { mine > 0 && limit + RESERVE <= TICKS ->
       if
#ifndef NO_FENCE
       :: mine != token -> mine = 0; from = 0; end = 0    /* lease_lost: it stops */
#endif
       :: else -> limit = limit + RESERVE; end = limit
       fi
     }
  /* Makes an ID, by whatever its clock says; the choice and the ID are two steps. */
  :: mints < MINTS && from < end ->
     mints++;
     select (ts : from .. end - 1);
     from = ts + 1;
     mint(ts);
     ts = 0
  /* kill -9. */
#ifdef GOES_ON
  :: atomic { mine > 0 && from < end -> select (from : 0 .. end - 1) }
#else
  :: atomic { mine > 0 -> mine = 0; from = 0; end = 0 }
#endif
  :: mints == MINTS || (from == end && claims == CLAIMS) -> break
  :: from == end && limit + RESERVE > TICKS -> break
  od
}

#endif

ltl once { [] !twice }
