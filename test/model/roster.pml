/*
 * A group, its relay and a member who is removed, as a small state machine for Spin (https://spinroot.com).
 *
 * ann founded the group and removes cleo; ben reads and writes; dan joins; cleo goes on signing whatever she likes, after
 * whatever entry she likes. A tick is five minutes. Entries are kept in the order of their making, each with what the chain
 * up to it comes to; the group is open.
 *
 *   -DLIES      the relay keeps every chain that anybody signed, shows to each what it likes, hides what it likes, and dates mail as it
 *               likes. Without it the relay keeps one chain, and those online have seen it after a tick.
 *   -DALONE     nobody but dan is online.
 *   -DBREAK=n   one rule is left out. Each must be found, or the model proves nothing.
 *
 * What holds
 *   no rollback       a chain only grows: what was someone's head stays in it
 *   no return         cleo is a member again only by a ticket that is later than her removal
 *   no reader         nobody seals for cleo who has proof of her removal; with an honest relay nobody does ten minutes after it
 *   no false sender   who knows of the removal shows nothing of cleo's that the relay had ten minutes after it. A lying relay
 *                     can date mail back to five minutes before the last reading, so here it takes a quarter of an hour
 *   joins go on       dan gets in with everybody else offline
 */
#ifndef BREAK
#define BREAK 0
#endif

#define ANN 0
#define BEN 1
#define CLEO 2
#define DAN 3
#define HAS(set, who) ((set >> who) & 1)

#ifdef LIES
#define ENTRIES 4
#else
#define ENTRIES 5
#endif
#define NONE 255
#define TEN_MINUTES 2
#define LAST_TICK 5

mtype = { create, join, change, removal };

typedef Entry {
  mtype kind;
  byte by;
  byte previous;  /* index of the entry before */
  bool holds;     /* whether it folds after that one */
  byte members;   /* a bit for each */
  bool removed;   /* cleo was removed, and is not back */
  byte at;        /* when she was */
}

Entry entry[ENTRIES];
byte count = 1;
byte now = 0;
byte head[4];           /* what each folds to; cleo needs none */
byte kept = 0;          /* the one chain of an honest relay */
byte ticket = NONE;     /* when ann signed one for cleo */
byte usedTicket[ENTRIES];
bool proven[4];         /* has proof that the relay hides the removal; stops sending */
byte lastRead = 0;      /* when ben last read his mail to its end */
bool mailWaits = false; /* one message of cleo's to ben */
byte mailNames, mailSent, mailDated;
bool danIn = false;
bool danTried = false;
hidden byte e, x, y;      /* for use within a step */
hidden byte found;

/* Whether `a` is `b` or stands before it. */
inline contains(b, a) {
  y = b;
  found = (y == a);
  do
  :: !found && y != 0 -> y = entry[y].previous; found = (y == a)
  :: else -> break
  od;
  skip
}

/* A new entry after `p`, with all that the fold makes of it. */
inline sign(k, who, p, withTicket) {
  entry[count].kind = k;
  entry[count].by = who;
  entry[count].previous = p;
  entry[count].members = entry[p].members;
  entry[count].removed = entry[p].removed;
  entry[count].at = entry[p].at;
  usedTicket[count] = NONE;
  entry[count].holds = entry[p].holds;
  if
  :: k == join ->
     if
     :: HAS(entry[p].members, who) -> entry[count].holds = false
     :: !HAS(entry[p].members, who) && who == CLEO && entry[p].removed && BREAK != 1 ->
        /* Only a ticket serves, and only one that is later than the removal. */
        entry[count].holds = entry[p].holds && withTicket && ticket != NONE && (ticket > entry[p].at || BREAK == 2)
     :: else -> skip
     fi;
     entry[count].members = entry[p].members | (1 << who);
     if
     :: who == CLEO -> entry[count].removed = false; usedTicket[count] = (withTicket -> ticket : NONE)
     :: else -> skip
     fi
  :: k == removal ->
     entry[count].holds = entry[p].holds && HAS(entry[p].members, CLEO) && who == ANN;
     entry[count].members = entry[p].members & (255 - (1 << CLEO));
     entry[count].removed = true;
     entry[count].at = now
  :: k == change ->
     entry[count].holds = entry[p].holds && who == ANN
  fi;
  /* An honest relay takes what follows its one chain. What does not fold is forgotten: nobody will. */
  if
#ifdef LIES
  :: entry[count].holds -> count++
#else
  :: p == kept && entry[count].holds -> kept = count; count++
#endif
  :: else ->
     entry[count].kind = 0; entry[count].by = 0; entry[count].previous = 0; entry[count].holds = false;
     entry[count].members = 0; entry[count].removed = false; entry[count].at = 0; usedTicket[count] = 0
  fi
}

/* Cleo is back in a chain only with a ticket later than her removal. */
inline checkReturn(k) {
  if
  :: entry[k].holds && entry[k].kind == join && entry[k].by == CLEO && entry[entry[k].previous].removed ->
     assert(usedTicket[k] != NONE && usedTicket[k] > entry[entry[k].previous].at)
  :: else -> skip
  fi
}

/* Someone is shown the entry `e`. */
inline fetch(who, e) {
  x = head[who];
  if
  :: (entry[e].holds && entry[e].previous == head[who]) || (BREAK == 3 && entry[e].holds) ->
     head[who] = e;
     checkReturn(e);
     contains(head[who], x);
     assert(found)
  :: else -> skip
  fi
}

/* Someone seals for all in the fold. */
inline seal(who) {
  if
  :: !proven[who] || BREAK == 4 ->
     assert(!(entry[head[who]].removed && HAS(entry[head[who]].members, CLEO)));
     assert(!(proven[who] && HAS(entry[head[who]].members, CLEO)));
#ifndef LIES
     assert(!(entry[kept].removed && now >= entry[kept].at + TEN_MINUTES && HAS(entry[head[who]].members, CLEO)))
#endif
  :: else -> skip
  fi
}

/*
 * Ben gets a message of ann's, which names her head. If he does not have it, he asks her, and she sends the removal: it
 * follows his chain, or it proves that the relay shows him another.
 */
inline hear() {
  contains(head[BEN], head[ANN]);
  if
  :: !found && entry[head[ANN]].removed && !entry[head[BEN]].removed ->
     x = head[ANN];
     do
     :: entry[x].kind != removal && x != 0 -> x = entry[x].previous
     :: else -> break
     od;
     skip;
     if
     :: entry[x].previous == head[BEN] -> head[BEN] = x
     :: else -> proven[BEN] = true
     fi
  :: else -> skip
  fi
}

/* The relay dates a message. It may lie, but not to before five minutes before the last reading. */
inline date() {
#ifdef LIES
  mailDated = (lastRead > 0 && BREAK != 6 -> lastRead - 1 : 0)
#else
  mailDated = mailSent
#endif
}

/* Ben judges cleo's message, as docs/protocol.md has it: what it names is in his chain, she was a member then, and if she was
   removed since, the relay had it before ten minutes were over. */
inline judge() {
  date();
  contains(head[BEN], mailNames);
  if
  :: found && HAS(entry[mailNames].members, CLEO) &&
     (!entry[head[BEN]].removed || mailDated < entry[head[BEN]].at + TEN_MINUTES || BREAK == 5) ->
     /* Shown as a member's. */
     if
     :: entry[head[BEN]].removed ->
#ifdef LIES
        assert(lastRead < entry[head[BEN]].at + TEN_MINUTES + 1)
#else
        assert(mailSent < entry[head[BEN]].at + TEN_MINUTES)
#endif
     :: else -> skip
     fi
  :: else -> skip
  fi;
  mailWaits = false;
  mailNames = 0;
  mailSent = 0;
  mailDated = 0
}

/* The next entry of the one chain. */
inline follow(who) {
  e = kept;
  do
  :: entry[e].previous != head[who] -> e = entry[e].previous
  :: else -> break
  od;
  fetch(who, e)
}

inline any() {
  e = 0;
  do
  :: e + 1 < count -> e++
  :: break
  od
}

inline joins() {
  sign(join, DAN, head[DAN], false);
  x = count - 1;
  danIn = (count > 1 && entry[x].by == DAN && entry[x].holds)
}

#if defined(LIES) || BREAK == 7
#define CAUGHT_UP true
#else
#define CAUGHT_UP (head[ANN] == kept && head[BEN] == kept && !mailWaits)
#endif

init {
  atomic {
    entry[0].kind = create;
    entry[0].holds = true;
    entry[0].members = (1 << ANN) | (1 << BEN) | (1 << CLEO);
    usedTicket[0] = NONE;
#ifdef ALONE
    sign(change, ANN, 0, false)
#endif
  }
  do
#ifdef ALONE
  /* Dan may try before he has seen the whole chain. */
  :: atomic { !danIn && !danTried -> danTried = true; joins() }
  :: atomic { head[DAN] != kept && !danIn -> follow(DAN) }
  :: atomic { head[DAN] == kept && !danIn -> joins() }
  :: atomic { danIn -> break }
#else
  :: atomic { now < LAST_TICK && CAUGHT_UP -> now++ }
  /* ann */
  :: atomic { count < ENTRIES && HAS(entry[head[ANN]].members, CLEO) -> sign(removal, ANN, head[ANN], false) }
  :: atomic { count < ENTRIES && entry[head[ANN]].removed -> sign(change, ANN, head[ANN], false) }
  :: atomic { ticket == NONE -> ticket = now }
  /* cleo */
  :: atomic { count < ENTRIES -> any(); sign(join, CLEO, e, true) }
  :: atomic { count < ENTRIES -> any(); sign(join, CLEO, e, false) }
  :: atomic { count < ENTRIES -> any(); sign(removal, CLEO, e, false) }
#ifdef LIES
  /* She writes when it suits the relay, and dan joins where it wants him. */
  :: atomic { any(); mailNames = e; mailSent = now; judge() }
  :: atomic { count < ENTRIES && !danIn -> any(); head[DAN] = e; joins(); head[DAN] = 0 }
  :: atomic { any(); fetch(ANN, e) }
  :: atomic { any(); fetch(BEN, e) }
  :: atomic { lastRead = now }
  :: atomic { true -> hear() }
#else
  :: atomic { !mailWaits -> any(); mailNames = e; mailSent = now; mailWaits = true }
  :: atomic { mailWaits -> judge() }
  :: atomic { count < ENTRIES && !danIn -> joins() }
  :: atomic { head[ANN] != kept -> follow(ANN) }
  :: atomic { head[BEN] != kept -> follow(BEN) }
  :: atomic { head[DAN] != kept -> follow(DAN) }
  :: atomic { !mailWaits -> lastRead = now }
#endif
  :: atomic { true -> seal(ANN) }
  :: atomic { true -> seal(BEN) }
#endif
  od
}

#ifdef ALONE
ltl joinsGoOn { <> danIn }
#endif
