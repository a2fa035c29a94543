/* Idempotency: callers create a thing under one key, and ask again until they have an answer.
 *
 *    caller --create(key, request)--> store: keys (key, digest of the request, answer), things
 *
 * Two callers send the same request, twins or one that asks again; a third sends another one under the same key.
 * Answers are lost, and the service is killed between any two steps. A commit is seen by all before it is on disk,
 * as in InnoDB, and a server that is killed in between forgets it. At most one thing is made, who gets
 * an answer gets that thing, it is there, it is what was asked for; another request is told `key_reused`.
 *
 * As it is, it must hold. Each of these breaks it:
 *    -DKEY_LATER        the thing is one commit, its key the next
 *    -DKEY_SOONER       the key with its answer is one commit, the thing the next
 *    -DLOOK_THEN_MAKE   the key is looked for, then all is written; nothing makes the key unique
 *    -DNO_DIGEST        whoever has the key gets its answer
 *    -DTELLS_UNFLUSHED  who finds the key tells its answer at once; only who has made it waits for the disk
 *    -DSWEPT_TOO_SOON   the key is taken away while somebody may still ask: `key_time` is the condition
 */
#define TRIES 2
#define NONE 0
#define REUSED 9

byte key_answer = NONE;      /* the thing of the key; NONE: there is no such key */
byte key_digest = 0;
byte things = 0;             /* numbers that were drawn: 1, 2 ... Gaps do not matter */
bool there[10];
byte request_of[10];
byte made = 0;
bool on_disk = true;         /* all that is seen */
bool crashed = false;        /* the server, once */

byte answered = NONE;        /* the first answer that anybody got */
bool broken = false;

inline make(n) {
  there[n] = true;
  request_of[n] = request;
  made++;
  if :: made > 1 -> broken = true :: else fi
}

/* The answer counts when its commit is on disk; if the server forgets it first, there is none. */
inline wait_for_disk() {
  atomic { (on_disk || crashed != before) -> if :: crashed != before -> answer = NONE :: else fi }
}

inline look_up() {
  if
#ifndef NO_DIGEST
  :: key_digest != request -> answer = REUSED
#endif
  :: else -> answer = key_answer
  fi
}

inline take_answer() {
  atomic {
    if
    :: answer == REUSED ->
       if :: key_digest == request -> broken = true :: else fi
    :: answer != REUSED ->
       if :: !there[answer] || request_of[answer] != request -> broken = true :: else fi;
       if
       :: answered == NONE -> answered = answer
       :: answered != NONE && answered != answer -> broken = true
       :: else
       fi
    fi
  }
}

proctype caller(byte request) {
  byte number = 0, answer = NONE, tries = 0;
  bool before = false;
  do
  :: tries < TRIES ->
     tries++;
     answer = NONE;
     atomic { things++; number = things };   /* numbers are drawn before the key is asked for */
#if defined(KEY_LATER)
     atomic { if :: key_answer != NONE -> look_up() :: else -> make(number) fi };
     if
     :: answer == NONE ->
        if
        :: skip                              /* killed between the commits: asks again */
        :: atomic { if :: key_answer == NONE -> key_answer = number; key_digest = request :: else fi; answer = number }
        fi
     :: else
     fi;
#elif defined(KEY_SOONER)
     atomic { if :: key_answer != NONE -> look_up() :: else -> key_answer = number; key_digest = request fi };
     if
     :: answer == NONE ->
        if
        :: skip
        :: atomic { make(number); answer = number }
        fi
     :: else
     fi;
#elif defined(LOOK_THEN_MAKE)
     atomic { if :: key_answer != NONE -> look_up() :: else fi };
     if
     :: answer == NONE -> atomic { make(number); key_answer = number; key_digest = request; answer = number }
     :: else
     fi;
#else
     /* One commit; a second caller waits for the first at the unique key. */
     if
     :: atomic {
          before = crashed;
          if
          :: key_answer != NONE -> look_up()
          :: else -> make(number); key_answer = number; key_digest = request; answer = number; on_disk = false
          fi
        }
     :: skip                                 /* killed before the commit: nothing was done */
     fi;
#ifdef TELLS_UNFLUSHED
     if :: answer == number -> wait_for_disk() :: else fi;
#else
     if :: answer != NONE -> wait_for_disk() :: else fi;
#endif
#endif
     if
     :: answer != NONE -> take_answer(); break
     :: true                                 /* the answer is lost, or there is none: asks again */
     fi
  :: else -> break
  od
}

active proctype disk() {
  do
  :: !on_disk -> on_disk = true
  :: atomic {
       !on_disk && !crashed ->
       there[key_answer] = false;
       made--;
       key_answer = NONE;
       key_digest = 0;
       on_disk = true;
       crashed = true
     }
  :: timeout -> break                        /* nobody waits for it any more */
  od
}

#ifdef SWEPT_TOO_SOON
active proctype sweep() { atomic { key_answer != NONE -> key_answer = NONE } }
#endif

init { atomic { run caller(1); run caller(1); run caller(2) } }

ltl once { [] !broken }
