"""Times Python's jinja2 at a template, set up as in oracle.py, whenever it is told to.

Reads a JSON object a line, and answers each with one:

  {"template": text, "context": {...}}    {"output": text}, or {"error": {...}} as oracle.py says it
  {"renders": n}                          {"seconds": of CPU for n renders of the template before}
"""

import datetime
import json
import sys
import time

import oracle


def main():
    env = oracle.environment(datetime.datetime(2024, 7, 26, 9, 5, 7))
    for line in sys.stdin:
        request = json.loads(line)
        if "template" in request:
            template = oracle.compiled(env, request["template"])
            context = request["context"]
            answer = oracle.render(template, context)
        else:
            start = time.process_time()
            for _ in range(request["renders"]):
                template.render(**context)
            answer = {"seconds": time.process_time() - start}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
