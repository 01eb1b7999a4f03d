/// A filter: a function of the value before the bar and the arguments behind the name.
struct JinjaFilter: Sendable {
  typealias Function =
    @Sendable (JinjaInterpreter, JinjaValue, JinjaArguments) throws(TemplateError) -> JinjaValue

  let apply: Function

  /// The filter of a name, nil where there is none here.
  static func named(_ name: String) -> JinjaFilter? {
    table[name].map(JinjaFilter.init)
  }

  /// All filters. Those of Jinja that are missing here make HTML or draw random numbers.
  private static let table: [String: Function] = [
    "abs": NumberFilters.abs,
    "attr": SequenceFilters.attr,
    "batch": SequenceFilters.batch,
    "capitalize": TextFilters.capitalize,
    "center": TextFilters.center,
    "count": SequenceFilters.length,
    "d": SequenceFilters.default,
    "default": SequenceFilters.default,
    "dictsort": SequenceFilters.dictsort,
    "e": TextFilters.escape,
    "escape": TextFilters.escape,
    "first": SequenceFilters.first,
    "float": NumberFilters.float,
    "forceescape": TextFilters.forceEscape,
    "format": TextFilters.format,
    "groupby": SequenceFilters.groupby,
    "indent": TextFilters.indent,
    "int": NumberFilters.int,
    "items": SequenceFilters.items,
    "join": TextFilters.join,
    "last": SequenceFilters.last,
    "length": SequenceFilters.length,
    "list": SequenceFilters.list,
    "lower": TextFilters.lower,
    "map": SelectionFilters.map,
    "max": SequenceFilters.max,
    "min": SequenceFilters.min,
    "reject": SelectionFilters.reject,
    "rejectattr": SelectionFilters.rejectattr,
    "replace": TextFilters.replace,
    "reverse": SequenceFilters.reverse,
    "round": NumberFilters.round,
    "safe": TextFilters.safe,
    "select": SelectionFilters.select,
    "selectattr": SelectionFilters.selectattr,
    "slice": SequenceFilters.slice,
    "sort": SequenceFilters.sort,
    "string": TextFilters.string,
    "sum": NumberFilters.sum,
    "title": TextFilters.title,
    "tojson": TextFilters.tojson,
    "trim": TextFilters.trim,
    "truncate": TextFilters.truncate,
    "unique": SequenceFilters.unique,
    "upper": TextFilters.upper,
    "wordcount": TextFilters.wordcount,
  ]
}
