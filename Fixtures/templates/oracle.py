"""Renders chat templates with Python's jinja2, as the model makers' own tooling does.

Reads one JSON object from standard input and writes one to standard output, so that one process
answers a whole test run:

  {"now": "2024-07-26T12:34:56", "templates": [text], "cases": [{"template": 0, "context": {...}}]}
  {"results": [{"output": text} | {"error": {"kind": class name, "message": text, "line": n}}]}
"""

import datetime
import json
import sys

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class GenerationTag(Extension):
    """`{% generation %}` marks assistant text for training; in a prompt it changes nothing.

    It is a call block of its own, so that, as in the tooling, what is set inside stays inside.
    """

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("_pass_through")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    @staticmethod
    def _pass_through(caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def environment(now):
    env = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols]
    )
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = now.strftime
    return env


def refusal(error):
    return {
        "error": {
            "kind": type(error).__name__,
            "message": str(error),
            "line": getattr(error, "lineno", None),
        }
    }


def compiled(env, source):
    """The template, or the error that keeps it from being one."""
    try:
        return env.from_string(source)
    except Exception as error:
        return error


def render(template, context):
    if isinstance(template, Exception):
        return refusal(template)
    try:
        output = template.render(**context)
        output.encode("utf-8")
        return {"output": output}
    except Exception as error:  # whatever it is, the oracle refuses this case
        return refusal(error)


def main():
    request = json.load(sys.stdin)
    env = environment(datetime.datetime.fromisoformat(request["now"]))
    templates = [compiled(env, source) for source in request["templates"]]
    results = [render(templates[case["template"]], case["context"]) for case in request["cases"]]
    json.dump({"results": results}, sys.stdout)


if __name__ == "__main__":
    main()
