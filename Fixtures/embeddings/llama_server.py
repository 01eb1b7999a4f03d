"""llama.cpp's own server, from the tests' wheel, serving embeddings on a free loopback port which it prints.

Ends at once on SIGTERM or SIGINT, and by itself within half a second of its parent's end.
"""

import os
import signal
import sys
import time

import xllamacpp

POOLINGS = {"model": -1, "mean": 1, "cls": 2, "last": 3}


def parameters(model, context, pooling):
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = 1
    params.n_ctx = params.n_batch = params.n_ubatch = context
    params.embedding = True
    params.pooling_type = xllamacpp.llama_pooling_type(POOLINGS[pooling])
    params.fit_params = False
    params.cache_ram_mib = 0
    params.ui = False
    return params


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = os.getppid()
    model, context, pooling = sys.argv[1:]
    server = xllamacpp.Server(parameters(model, int(context), pooling))
    print(f"listening on {server.listening_address}", flush=True)
    while os.getppid() == parent:
        time.sleep(0.25)
    os._exit(0)


main()
