import Foundation
import HybridCore
import HybridLocal
import Testing

/// What a hostile template costs.
@Suite(.serialized) struct TemplateBudgetTests {
  /// A debug build is some ten times as slow as what users run.
  private static let longest: Duration = {
    #if DEBUG
      .milliseconds(1_000)
    #else
      .milliseconds(100)
    #endif
  }()

  private static let context = TemplateContext(
    messages: [TemplateValue.dict([("role", .content("user")), ("content", .content("hi"))])],
    now: TemplateFixtures.date)

  /// A template, and the limit that ends it.
  struct Hostile: Sendable, CustomTestStringConvertible {
    var source: String
    var limit: TemplateBudget.Limit

    init(_ source: String, _ limit: TemplateBudget.Limit) {
      self.source = source
      self.limit = limit
    }

    var testDescription: String { String(source.prefix(60)) }
  }

  static let hostileRenders: [Hostile] = [
    Hostile(nestedLoops("{% set x = i %}"), .steps),
    Hostile(nestedLoops(""), .steps),
    Hostile(nestedLoops("{{ i }}"), .steps),
    Hostile("{{ 'a' * 1000000000 }}", .size),
    Hostile("{{ 1000000000 * 'ab' }}", .size),
    Hostile("{{ [1] * 1000000000 }}", .steps),
    Hostile("{{ 'x'.center(1000000000) }}", .size),
    Hostile("{{ 'aaaa'|replace('a', 'b' * 1000000) }}", .steps),
    Hostile("{{ ('a' * 50000)|replace('a', 'b' * 50000) }}", .size),
    Hostile(doubling(of: "'a'"), .steps),
    Hostile(doubling(of: "[1]"), .steps),
    Hostile("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", .nesting),
    Hostile("{% macro m(x) %}{{ m([x]) }}{% endmacro %}{{ m(1) }}", .nesting),
    Hostile("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}", .nesting),
    Hostile(nesting("[n.v]"), .nesting),
    Hostile(nesting("{'k': n.v}"), .nesting),
    Hostile(nesting("(n.v,)|list"), .nesting),
    Hostile(nesting("{'k': n.v}.get"), .nesting),
    Hostile("{% set s = 'ab' * 100000 %}" + nestedLoops("{% set t = s|upper %}"), .steps),
    Hostile("{% set s = 'a' * 100000 %}{{ ('a' * 50000 ~ 'b') in s }}", .steps),
    Hostile("{% set s = 'a' * 100000 %}{{ s.rfind('a' * 50000 ~ 'b') }}", .steps),
    Hostile("{{ range(100000)|map('string')|map('upper')|list|sort|join }}", .steps),
    // Sixty lists hold 2 to the 60th numbers: comparing or writing them must count.
    Hostile(sharing + "{{ n.v == n.w }}", .steps),
    Hostile(sharing + "{{ n.v < n.w }}", .steps),
    Hostile(sharing + "{{ n.v }}", .steps),
    Hostile(sharing + "{{ n.v|tojson }}", .steps),
  ]

  static let hostileSources: [Hostile] = [
    Hostile("{{ " + repeated("(") + "1" + repeated(")") + " }}", .nesting),
    Hostile("{{ " + repeated("[") + repeated("]") + " }}", .nesting),
    Hostile("{{ " + repeated("not ", 60_000) + "1 }}", .nesting),
    Hostile("{{ " + repeated("-") + "1 }}", .nesting),
    Hostile("{{ 1" + repeated("+1") + " }}", .nesting),
    Hostile("{{ 1" + repeated(".a") + " }}", .nesting),
    Hostile("{{ 1" + repeated("|abs", 60_000) + " }}", .nesting),
    Hostile("{{ 1" + repeated(" if 1", 50_000) + " }}", .nesting),
    Hostile(repeated("{% if 1 %}", 25_000), .nesting),
    Hostile(repeated("x", (1 << 18) + 1), .source),
  ]

  private static func repeated(_ part: String, _ count: Int = 100_000) -> String {
    String(repeating: part, count: count)
  }

  /// Templates nested `depth` levels deep, each in another way. All render "1".
  private static func deep(_ depth: Int) -> [String] {
    [
      "{{ " + repeated("(", depth) + "1" + repeated(")", depth) + " }}",
      "{{ 1" + repeated("+0", depth) + " }}",
      repeated("{% if 1 %}", depth) + "1" + repeated("{% endif %}", depth),
      "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{% else %}1{% endif %}{% endmacro %}"
        + "{{ m(\(depth)) }}",
    ]
  }

  private static func nestedLoops(_ body: String) -> String {
    "{% for i in range(100000) %}{% for j in range(100000) %}\(body){% endfor %}{% endfor %}"
  }

  private static func doubling(of start: String) -> String {
    "{% set n = namespace(v=\(start)) %}{% for i in range(99) %}{% set n.v = n.v + n.v %}{% endfor %}"
  }

  private static func nesting(_ value: String) -> String {
    "{% set n = namespace(v=1) %}{% for i in range(100000) %}{% set n.v = \(value) %}{% endfor %}"
  }

  private static let sharing = """
    {% set n = namespace(v=1, w=1) %}{% for i in range(60) %}\
    {% set n.v = [n.v, n.v] %}{% set n.w = [n.w, n.w] %}{% endfor %}
    """

  @Test(arguments: hostileRenders)
  func `a hostile template is refused at once`(_ hostile: Hostile) throws {
    let template = try ChatTemplate(source: hostile.source)
    try Self.expectRefusal(hostile, within: Self.longest) { () throws(TemplateError) in
      _ = try template.render(Self.context)
    }
  }

  @Test(arguments: hostileSources)
  func `hostile source is refused while it is parsed`(_ hostile: Hostile) throws {
    try Self.expectRefusal(hostile, within: Self.longest) { () throws(TemplateError) in
      _ = try ChatTemplate(source: hostile.source)
    }
  }

  /// Counts this thread's own time: others share the machine.
  private static func expectRefusal(
    _ hostile: Hostile, within limit: Duration, _ body: () throws(TemplateError) -> Void
  ) throws {
    let start = threadTime()
    let error = #expect(throws: TemplateError.self) { try body() }
    let taken = threadTime() - start
    #expect(error?.kind == .budget(hostile.limit), "\(error?.sentence ?? "")")
    #expect(taken < limit)
  }

  private static func threadTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Half of the usual 8 MiB, without the optimiser, whose frames are several times smaller.
  @Test func `the deepest template that is allowed fits a small stack`() async {
    let hostile = (Self.hostileRenders + Self.hostileSources).filter { $0.limit == .nesting }
    let sources = Self.deep(95) + hostile.map(\.source)
    await withCheckedContinuation { continuation in
      let thread = Thread {
        for source in sources {
          _ = try? ChatTemplate(source: source).render(Self.context)
        }
        continuation.resume()
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
  }

  @Test func `ordinary nesting is allowed`() throws {
    for source in Self.deep(45) {
      #expect(try ChatTemplate(source: source).render(Self.context).text == "1")
    }
  }

  @Test func `the standard budget has room for long conversations`() async throws {
    let conversations = try TemplateConversation.all()
    let turns = try #require(conversations.first { $0.name == "multiTurn" }).templateContext
    var long = turns
    long.messages.removeLast()
    for _ in 0..<10 { long.messages += turns.messages[1...4] }
    long.messages += turns.messages.suffix(1)
    for (name, source) in try TemplateFixtures.realTemplates() {
      await Task.yield()
      let template = try ChatTemplate(source: source)
      guard (try? template.render(turns)) != nil else { continue }
      let steps = try template.measuredRender(long).steps
      let budget = TemplateBudget.standard(messages: long.messages.count, bytes: 0).steps
      #expect(steps * 3 < budget, "\(name) takes \(steps)")
    }
  }

  @Test(arguments: [(1, 0), (1_000, 100_000), (100_000, 0), (.max, .max), (1, .max)])
  func `no conversation buys a template more than a second or so`(messages: Int, bytes: Int) {
    let steps = TemplateBudget.standard(messages: messages, bytes: bytes).steps
    #expect((20_000...2_000_000).contains(steps))
  }

  @Test func `a render leaves nothing behind`() throws {
    // Each of these holds itself in some way.
    let source = """
      {% macro m() %}{{ caller() }}{% endmacro %}{% set n = namespace() %}{% set n.self = n %}\
      {% for i in range(3) recursive %}{% set n.loop = loop %}{% set n.m = m %}\
      {% call m() %}{{ n.x }}{% set n.c = caller %}{% endcall %}{% endfor %}ok
      """
    #expect(try ChatTemplate(source: source).render(Self.context).text == "ok")
  }
}
