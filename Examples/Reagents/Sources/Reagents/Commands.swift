import Glibc
import PluginAPI

/// The commands of the plugin.
enum Commands {
  private static let masses = Parameter.Kind.number(minimum: 0, maximum: 1e9)
  private static let least = Option("least", kind: masses, "Smallest mass", unit: "gram", default: 0.0)
  private static let name = Argument("name", String.self, "Name, as for 'molecules info'")
  private static let grams = Argument("grams", Double.self, kind: masses, "Mass", unit: "gram")
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
    guard let file = fopen(path, "r") else { throw ReagentError.unusableFile("cannot read '\(path)'") }
    defer { fclose(file) }
    var reagents: [Reagent] = []
    var line = [CChar](repeating: 0, count: 1024)
    while fgets(&line, Int32(line.count), file) != nil {
      let words = line.prefix { $0 != 0 }.split { $0 == 32 || $0 == 10 }
        .map { String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
      guard words.count == 2, let grams = Double(words[1]), grams >= 0 else { continue }
      reagents.append(Reagent(name: words[0], grams: grams))
    }
    if reagents.isEmpty { throw ReagentError.unusableFile("'\(path)' has no line with a name and a mass") }
    return reagents
  }
}
