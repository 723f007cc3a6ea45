import PluginAPI
import PluginText

/// Renders an analysis of scenarios as a tree: the count, the common states, some scenarios, the reasons if there are
/// none.
struct ScenarioRenderer: TextRenderer {
  var typeName: String { PathCaseValueType.scenarios }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var tree = BranchText(request)
    tree.add(.init(text: Self.heading(value), style: .heading, branches: Self.common(value)))
    for note in texts(value["notes"]) { tree.add(.init(text: note, style: .warning)) }
    let missing = texts(value["missingRegulation"])
    if !missing.isEmpty {
      tree.add(
        .init(text: "scenarios would exist if these processes were inhibited: \(missing.joined(separator: ", "))"))
    }
    for conflict in value["conflicts"].list ?? [] {
      tree.add(
        .init(
          text: conflict["summary"].text ?? "", style: .error,
          branches: texts(conflict["chain"]).map { .init(text: $0) }))
    }
    if let scenarios = Self.scenarios(value) { tree.add(scenarios) }
    if let shares = Self.shares(value, isFull: request.detail == .full) { tree.add(shares) }
    if let levels = Self.levels(value) { tree.add(levels) }
    return tree.text
  }

  private func texts(_ value: Value) -> [String] { value.list?.compactMap(\.text) ?? [] }

  private static func heading(_ value: Value) -> String {
    let count = BigUnsigned(value["count"].text ?? "") ?? .zero
    let power = count.powerOfTen.map { " (\($0))" } ?? ""
    let name = SanitizedText.line(value["network"].text ?? "")
    let mode = value["countedMode"].text ?? ""
    return "\(name): \(count.grouped)\(power) \(mode) scenario\(count == .one ? "" : "s")"
  }

  /// Returns the branches of the states common to all scenarios.
  private static func common(_ value: Value) -> [BranchText.Branch] {
    func names(_ field: String) -> [String] { (value[field].list ?? []).compactMap(\.text) }
    let observed = (value["observed"].list ?? []).map { "\($0["pool"].text ?? "") \($0["label"].text ?? "")" }
    let (forwards, backwards) = (Set(names("mustForward")), Set(names("mustBackward")))
    let must = names("mustActive").map {
      $0 + (forwards.contains($0) ? " +" : backwards.contains($0) ? " -" : " + or -")
    }
    let isEmpty = value["count"].text == "0"
    let size = "\(value["processes"].integer ?? 0) processes, \(value["pools"].integer ?? 0) pools"
    let rows = [
      ("network", [size]), ("observed", observed), ("always run", isEmpty ? [] : must),
      ("never run", isEmpty ? [] : names("neverActive")),
    ]
    return rows.filter { !$0.1.isEmpty }.map {
      .init(text: "\($0.0): \($0.1.map { SanitizedText.line($0) }.joined(separator: ", "))")
    }
  }

  private static func scenarios(_ value: Value) -> BranchText.Branch? {
    guard let scenarios = value["scenarios"].list, !scenarios.isEmpty else { return nil }
    let numbers = (value["scenarioNumbers"].list ?? []).compactMap(\.text)
    let forced = Set(
      (["mustForward", "mustBackward"].flatMap { value[$0].list ?? [] }).compactMap(\.text))
    let shared = inAllShown(scenarios).filter { !forced.contains($0) }
    let listed = forced.union(shared)
    let rest = shared.isEmpty ? "only those that always run" : "nothing else"
    let branches = zip(numbers, scenarios).map { number, scenario -> BranchText.Branch in
      let active = (scenario.record?.fields ?? []).filter { $0.value.text != "0" }
      let open = active.filter { !listed.contains($0.name) }.map { $0.name + " " + ($0.value.text ?? "") }
      let also = active.count > open.count ? (open.isEmpty ? rest : "also ") : ""
      let none = active.isEmpty ? "all processes are idle" : ""
      let count = (BigUnsigned(number) ?? .zero).grouped
      return .init(text: "\(count): \(none)\(also)" + open.map { SanitizedText.line($0) }.joined(separator: ", "))
    }
    let states = scenarios.first?.record
    let same = shared.map { SanitizedText.line($0) + " " + (states?[$0]?.text ?? "") }
    let head = same.isEmpty ? [] : [BranchText.Branch(text: "in all shown: \(same.joined(separator: ", "))")]
    return .init(text: "scenarios", style: .heading, branches: head + branches)
  }

  /// Returns the processes that run in the same direction in all of several scenarios, in the order of the network.
  private static func inAllShown(_ scenarios: [Value]) -> [String] {
    guard scenarios.count > 1, let first = scenarios.first?.record?.fields else { return [] }
    return first.filter { field in
      field.value.text != "0" && scenarios.allSatisfy { $0[field.name].text == field.value.text }
    }.map(\.name)
  }

  private static func shares(_ value: Value, isFull: Bool) -> BranchText.Branch? {
    guard let shares = value["marginals"].list, !shares.isEmpty else { return nil }
    let branches = shares.map { share -> BranchText.Branch in
      let part = share["activeShare"].number ?? 0
      let bar = String(repeating: "#", count: Int((part * 20).rounded()))
      let name = TextWidth.padded(SanitizedText.line(share["process"].text ?? ""), to: 12)
      return .init(text: "\(name) \(TextWidth.padded(bar, to: 20)) \(percent(part))")
    }
    return .init(text: "runs in", style: .heading, branches: branches)
  }

  /// Returns a share in percent; only exact 0 and 1 are shown as 0 and 100.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    if tenths == 0, share > 0 { return "< 0.1 %" }
    if tenths == 1000, share < 1 { return "> 99.9 %" }
    return "\(tenths / 10).\(tenths % 10) %"
  }

  private static func levels(_ value: Value) -> BranchText.Branch? {
    guard let levels = value["poolLevels"].record else { return nil }
    let every = (value["labels"].text ?? "").map(String.init).joined(separator: "|")
    let known = levels.fields.filter { $0.value.text != every }
    guard !known.isEmpty else { return nil }
    return .init(
      text: "levels of pools", style: .heading,
      branches: known.map { .init(text: "\(SanitizedText.line($0.name)): \($0.value.text ?? "")") })
  }
}

/// Renders elementary modes as a tree: the status and number, then each mode with its reactions.
struct ModesRenderer: TextRenderer {
  var typeName: String { PathCaseValueType.modes }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var tree = BranchText(request)
    let count = value["count"].integer ?? 0
    let modes = value["modes"].table
    tree.add(
      .init(
        text: "\(value["status"].text ?? ""): \(count) elementary mode\(count == 1 ? "" : "s")", style: .heading,
        branches: (0..<(modes?.rowCount ?? 0)).compactMap { modes?.row($0) }.map(Self.branch)))
    let unused = (value["unused"].list ?? []).compactMap(\.text)
    if !unused.isEmpty {
      tree.add(
        .init(text: "in no mode: " + unused.map { SanitizedText.line($0) }.joined(separator: ", "), style: .secondary))
    }
    return tree.text
  }

  private static func branch(_ mode: Record) -> BranchText.Branch {
    let terms = (mode["fluxes"]?.record?.fields ?? []).map { field -> String in
      let amount = field.value.integer ?? 0
      let times = abs(amount) == 1 ? "" : "\(abs(amount)) "
      return (amount < 0 ? "- " : "+ ") + times + SanitizedText.line(field.name)
    }
    let direction = mode["isReversible"]?.bool == true ? " (both ways)" : ""
    return .init(text: "\(mode["mode"]?.integer ?? 0): \(terms.joined(separator: " "))\(direction)")
  }
}

/// Renders drawings of characters; in plain text, ASCII characters replace boxes, lines and arrows.
struct DrawingRenderer: TextRenderer {
  var typeName: String { PathCaseValueType.drawing }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for line in (value.text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      text.add(.init(request.isPlain ? Self.ascii(line) : String(line)))
    }
    return text
  }

  private static func ascii(_ line: Substring) -> String { String(line.map { characters[$0] ?? $0 }) }

  private static let characters: [Character: Character] = {
    var characters: [Character: Character] = [:]
    let classes: [(ascii: Character, drawn: String)] = [
      ("-", "─╌╴╶"), ("|", "│┆╵╷"), ("+", "╭╮╰╯┌┐└┘├┤┬┴┼"), ("^", "▲△"), ("v", "▼▽"), ("<", "◀"), (">", "▶"),
      ("X", "↕"),
      ("o", "○●"), ("#", "■"), ("@", "◆"), ("*", "▣"),
    ]
    for (ascii, drawn) in classes { for character in drawn { characters[character] = ascii } }
    return characters
  }()
}

/// A tree of short texts: a heading and its branches, with long texts wrapped beside their branch.
private struct BranchText {
  /// A text with its branches.
  struct Branch: Sendable {
    var text: String
    var style = Style.plain
    var branches: [Branch] = []
  }

  private(set) var text = StyledText()
  private let width: Int
  private let isPlain: Bool

  init(_ request: TextRequest) {
    width = max(20, request.width)
    isPlain = request.isPlain
  }

  /// Adds a text at the left edge with its branches.
  mutating func add(_ branch: Branch) {
    for line in TextWidth.wrapped(branch.text, to: width) { text.add(.init(line, branch.style)) }
    add(branch.branches, indent: "")
  }

  /// Adds branches; trees of scenarios have two levels, so the recursion is shallow.
  private mutating func add(_ branches: [Branch], indent: String) {
    for (index, branch) in branches.enumerated() {
      let isLast = index == branches.count - 1
      let first = isPlain ? "  " : isLast ? "└─ " : "├─ "
      let rest = isPlain ? "  " : isLast ? "   " : "│  "
      let room = max(10, width - TextWidth.columns(indent) - 3)
      // Text that fits keeps its spaces, which align columns.
      let fits = TextWidth.columns(branch.text) <= room
      for (place, line) in (fits ? [branch.text] : TextWidth.wrapped(branch.text, to: room)).enumerated() {
        text.add(.init(indent + (place == 0 ? first : rest), .secondary), .init(line, branch.style))
      }
      add(branch.branches, indent: indent + rest)
    }
  }
}
