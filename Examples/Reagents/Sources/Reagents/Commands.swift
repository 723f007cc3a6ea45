import PluginAPI
import PluginStore

/// The commands of the plugin.
enum Commands {
  private static let masses = 0.0...1e9
  private static let least = Option("least", in: masses, "Smallest mass", unit: "gram", default: 0.0)
  private static let name = Argument("name", String.self, "Name, as for 'molecules info'")
  private static let grams = Argument(
    "grams", Double.self, kind: .number(minimum: 0, maximum: 1e9), "Mass", unit: "gram")
  private static let file = Argument(
    "file", String.self, kind: .inputFile(extensions: ["reagents"]), "File with a name and a mass on each line")

  static let list = CommandPart(
    CommandDescription("list", "List the reagents", output: .table(of: Reagent.self)).taking(least)
      .explained(examples: [.init("list --least 1", "Reagents of a gram or more")])
  ) { call in
    try await call.emit(table: ReagentStore(call.context).reagents(least: call[least]))
  }

  static let add = CommandPart(
    CommandDescription("add", "Add a reagent", output: .model(Reagent.self), effects: [.reads, .writes])
      .taking(name.completed(by: "list", column: "name"), grams)
      .explained(examples: [.init("add caffeine 1.94", "Add 1.94 g of caffeine")])
  ) { call in
    let reagent = Reagent(name: call[name], grams: call[grams])
    try await ReagentStore(call.context).add([reagent])
    try await call.emit(reagent)
  }

  static let moles = CommandPart(
    CommandDescription("moles", "List the amounts of the reagents", output: .table(of: Amount.self))
      .explained("The plugin 'molecules' counts the atoms.", examples: [.init("moles", "All reagents")])
  ) { call in
    let reagents = try await ReagentStore(call.context).reagents()
    var amounts: [Amount] = []
    for (number, reagent) in reagents.enumerated() {
      call.report(Progress("counting atoms of \(reagent.name)", fraction: Double(number) / Double(reagents.count)))
      amounts.append(try await Amount(reagent, call.context))
    }
    try await call.emit(table: amounts)
  }

  static let read = CommandPart(
    CommandDescription(
      "read", "Add the reagents of a file", output: .table(of: Reagent.self), effects: [.reads, .writes]
    ).taking(file)
  ) { call in
    let reagents = try await call.compute("reading") { [path = call[file]] _ in try parsed(path) }
    try await ReagentStore(call.context).add(reagents)
    try await call.emit(table: reagents)
  }

  private static func parsed(_ path: String) throws -> [Reagent] {
    guard let bytes = try? WholeFile.read(path, limitInBytes: 1 << 20) else {
      throw ReagentError.unusableFile("cannot read '\(path)'")
    }
    let reagents = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap(reagent)
    if reagents.isEmpty { throw ReagentError.unusableFile("'\(path)' has no line with a name and a mass") }
    return reagents
  }

  private static func reagent(_ line: Substring) -> Reagent? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let grams = Double(words[1]), masses.contains(grams) else { return nil }
    return Reagent(name: String(words[0]), grams: grams)
  }
}
