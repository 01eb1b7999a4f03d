import HybridCore
import Testing

@testable import hybrid

@Suite struct ArgumentParserTests {
  private let parser = ArgumentParser(options: Command.ask.options)

  @Test(
    arguments: [
      (["--max-tokens", "5", "Hi"], ["max-tokens=5"], ["Hi"]),
      (["--max-tokens=5", "Hi"], ["max-tokens=5"], ["Hi"]),
      (["-n", "5"], ["max-tokens=5"], []),
      (["-n5"], ["max-tokens=5"], []),
      (["Hi", "--json"], ["json"], ["Hi"]),
      (["-qv"], ["quiet", "verbose"], []),
      (["-qn5"], ["quiet", "max-tokens=5"], []),
      (["--system="], ["system="], []),
      (["-s", ""], ["system="], []),
      (["--system=a=b"], ["system=a=b"], []),
      (["--system=--json"], ["system=--json"], []),
      (["-s", "- one"], ["system=- one"], []),
      (["--temperature", "-1"], ["temperature=-1"], []),
      (["--stop", "-"], ["stop=-"], []),
      (["--stop", "a", "--stop=b"], ["stop=a", "stop=b"], []),
      (["-"], [], ["-"]),
      (["--", "--json", "-x"], [], ["--json", "-x"]),
      ([""], [], [""]),
    ] as [([String], [String], [String])])
  func `arguments come apart`(
    arguments: [String], options: [String], positionals: [String]
  ) throws {
    let parsed = try parser.parse(arguments)
    let found = parsed.occurrences.map { occurrence in
      occurrence.option.name + (occurrence.value.map { "=\($0)" } ?? "")
    }
    #expect(found == options)
    #expect(parsed.positionals == positionals)
  }

  @Test(
    arguments: [
      (["--tempratur", "1"], "unknown option '--tempratur'", "did you mean --temperature?"),
      (["--max", "1"], "unknown option '--max'", "did you mean --max-tokens?"),
      (["--xyzzy"], "unknown option '--xyzzy'", "put -- before"),
      (["-x"], "unknown option '-x'", "put -- before"),
      (["-qx"], "unknown option '-x' in '-qx'", "put -- before"),
      (["--json=1"], "--json takes no value", nil),
      (["--max-tokens"], "--max-tokens needs a value", nil),
      (["-n"], "-n needs a value", nil),
      (
        ["--system", "--json"], "--system needs a value, and --json is an option", "--system=--json"
      ),
      (["-s", "-q"], "-s needs a value, and -q is an option", nil),
      (["-s", "--"], "-s needs a value, and -- is an option", nil),
    ] as [([String], String, String?)])
  func `what is wrong is named, with the nearest right thing`(
    arguments: [String], message: String, nextStep: String?
  ) throws {
    let error = try #require(throws: HybridError.self) { try parser.parse(arguments) }
    #expect(error.code == .usage)
    #expect(error.message.hasPrefix(message), "\(error.message)")
    if let nextStep {
      #expect(error.nextStep?.lowercased().contains(nextStep) == true, "\(error)")
    }
  }

  @Test func `a message shows an argument without its control characters`() throws {
    let error = try #require(throws: HybridError.self) {
      try parser.parse(["--\u{1B}[2J" + String(repeating: "x", count: 200)])
    }
    #expect(!error.message.contains("\u{1B}"))
    #expect(error.message.count < 100)
  }

  @Test func `the last value of an option counts, and a repeatable one keeps them all`() throws {
    let parsed = try parser.parse(["--model", "a", "--model", "b", "--tag", "x", "--tag", "y"])
    #expect(parsed.value(.model) == "b")
    #expect(parsed.values(.tag) == ["x", "y"])
  }

  @Test func `no two options of a command share a name or a letter`() {
    for command in Command.all {
      #expect(Set(command.options.map(\.name)).count == command.options.count)
      let letters = command.options.compactMap(\.short)
      #expect(Set(letters).count == letters.count)
    }
  }
}
