/// The text that copies of a model are compared over: plain technical English, written for this.
///
/// About 1,000 tokens for a vocabulary of 49,152. Prose, a list, a little code and some numbers, since
/// what a format loses differs with the kind of text.
enum TuneText {
  static let english = """
    # Running a small service well

    A service that people rely on is rarely the one with the most features. It is the one that starts
    quickly, says clearly what is wrong, and keeps its promises when something around it fails. Most of
    what follows is about that last part, because it is the part that is hardest to add afterwards.

    ## Queues

    Every service has a queue, whether or not anybody designed it. Requests arrive at times of their
    own choosing, and each of them takes a while. As long as the work that arrives in an hour takes
    less than an hour, the queue is short. Once it takes longer, the queue grows without end, and the
    time that a request waits grows with it. There are only three remedies: do the work faster, do less
    work, or refuse some of it. A service that does none of these has chosen the fourth, which is to
    fail for everybody at once.

    It helps to write the numbers down. Suppose that a worker needs 40 milliseconds for a request and
    that there are four workers. Together they can finish 100 requests a second. At 80 requests a
    second they are busy four fifths of the time, and a new request usually finds one of them free. At
    95 requests a second it usually has to wait, and small irregularities add up to long delays. The
    average hides this. Look at the slowest one request in a hundred instead, because somebody whose
    page needs thirty requests will meet it on nearly every visit.

    A bounded queue is better than an unbounded one. When it is full, the next request is told so at
    once, together with an estimate of when to try again. The caller can then go somewhere else, show
    an older result, or simply wait. A request that sits in a long queue until its caller has given up
    costs as much as any other and helps nobody.

    ## Timeouts and retries

    A timeout is a statement about the caller, not about the server. If a person will leave after ten
    seconds, then no part of the work should go on after ten seconds. Pass the remaining time along
    with the request, so that each step knows how much is left, and check it before anything expensive
    begins. Three services that each wait for thirty seconds do not add up to a response in thirty
    seconds.

    Retries are useful when failures are rare and independent. They are harmful when the server is
    already overloaded, since each failed attempt then creates another one. Two rules keep them safe:

    1. Wait longer after each attempt, and add some randomness, so that many clients do not return at
       the same moment.
    2. Spend retries from a budget. If more than one request in ten is a retry, stop and report the
       error instead.

    An operation that changes something must be safe to repeat before it may be retried. The usual way
    is to give it a number that the client chooses. The server remembers the numbers that it has seen
    and returns the first result again. In outline:

    ```python
    def transfer(request, store):
        known = store.get(request.key)
        if known is not None:
            return known
        result = apply(request.amount, request.account)
        store.put(request.key, result)
        return result
    ```

    This sketch has a flaw: if the process stops between the last two steps, the amount is applied and
    the key is forgotten. Both have to be written in one transaction, so that either both are there
    after a restart or neither is.

    ## Caches

    A cache trades memory for time, and correctness for complexity. Before adding one, measure how
    often the same question is asked twice. If only one answer in twenty is found in the cache, the
    work has barely changed, and there is a new way to be wrong. If nineteen in twenty are found, think
    about what happens on the day when the cache is empty: the database behind it will suddenly see
    twenty times as many queries as usual.

    The key of a cache must hold everything that the answer depends on. When a report depends on the
    user's language, the time zone, and the version of the software, and the key holds only the name of
    the report, then somebody will see another person's numbers. Such faults are seldom found by tests,
    because tests begin with an empty cache.

    ## Memory and processors

    Modern processors are much faster than the memory that feeds them. A core can add two numbers in
    less than a nanosecond, but it waits about a hundred of them for a value that is in none of its
    caches. Programs that read memory in order are fast, since the hardware fetches the next values in
    advance. Programs that follow pointers from one place to another are slow, however few instructions
    they execute. The same data in a compact array can be ten times as fast to sum as in a linked list.

    Threads do not change this. If one thread uses all of the memory's bandwidth, a second one will
    only take half of it away. More threads than cores make matters worse when they wait for each
    other, because the one that is not running holds up all the rest.

    ## When things go wrong

    Write error messages for the person who reads them at three in the morning. Name the thing that
    failed, the value that was found, the value that was expected, and what to try next. "Invalid
    configuration" is not a message. "The port 80800 in line 12 of server.conf is above 65535" is one.

    Finally, practise. Stop a machine on purpose, fill a disk, let a certificate expire in a test
    environment. The first time that a backup is restored should not be the day on which it is needed.
    """
}
