"""A real llama-server for the tests: llama.cpp's own HTTP server, from a wheel, on a loopback port.

Runs in the foreground. Ends at once on SIGTERM or SIGINT, and by itself within half a second of its parent's end.
"""

import argparse
import os
import signal
import time

import xllamacpp


def arguments():
    parser = argparse.ArgumentParser(prog="llama-server", description=__doc__)
    parser.add_argument("--model", required=True, metavar="PATH", help="a GGUF file")
    parser.add_argument("--port", required=True, type=int, metavar="N", help="0 takes a free port and prints it")
    parser.add_argument("--context", default=0, type=int, metavar="N", help="tokens for each slot; 0: the model's own")
    parser.add_argument("--threads", default=0, type=int, metavar="N", help="0: all CPUs this process may use")
    parser.add_argument("--parallel", default=1, type=int, metavar="N", help="slots")
    return parser.parse_args()


def parameters(options):
    params = xllamacpp.CommonParams()
    params.model.path = options.model
    params.hostnames = ["127.0.0.1"]
    params.port = options.port
    params.n_parallel = options.parallel
    params.n_ctx = options.context * options.parallel  # the server divides it among the slots
    threads = options.threads or len(os.sched_getaffinity(0))
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.fit_params = False  # what was asked for, not what the server thinks fits
    params.cache_ram_mib = 0  # no 8 GiB of prompts kept beside the slots
    params.ui = False
    return params


def main():
    # No handler: nothing needs saving, and a handler would have to wait for the model to load.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = os.getppid()
    server = xllamacpp.Server(parameters(arguments()))
    print(f"listening on {server.listening_address}", flush=True)
    # Not PR_SET_PDEATHSIG: that fires when the *thread* ends that started us, and tests start us from a thread pool.
    while os.getppid() == parent:
        time.sleep(0.25)
    os._exit(0)


main()
