import PluginAPI
import PluginText

/// The pathways of the active database, prepared for listing and search.
struct FoundPathways: Sendable {
  let database: MetabolicDatabase
  let search: PathwaySearch
  /// The participants of each pathway.
  let members: [MetabolicDatabase.PathwayMembers]
  /// The columns that show these in rows.
  let columns: PathwayColumns
  /// The networks that the user imported from files.
  let imported: [ImportedNetwork]
  /// The origin of the database in a few words.
  let origin: String
  /// The problem that prevents the use of another database.
  let trouble: Diagnostic?

  /// Opens the database.
  ///
  /// - Throws: The errors of reading and linking documents.
  static func open(_ shelf: PathwayShelf, _ context: any PluginContext) async throws -> FoundPathways {
    // A damaged store is reported when something is to be stored; the pathways are available all the same.
    let imported = (try? await shelf.imported(context)) ?? []
    return try await context.eventLoop.compute("opening the database") { _ in
      try FoundPathways(shelf, context, imported)
    }
  }

  private init(_ shelf: PathwayShelf, _ context: any PluginContext, _ imported: [ImportedNetwork]) throws {
    let database = try shelf.database(context)
    self.database = database
    self.imported = imported
    search = PathwaySearch(database)
    members = database.pathways.indices.map { database.members(ofPathway: $0) }
    columns = PathwayColumns(members)
    trouble = try shelf.trouble(context)
    let snapshot = database.snapshot.isEmpty ? "" : " \(SanitizedText.line(database.snapshot))"
    if let found = try shelf.origin(context) {
      let date = Instant(seconds: Int64(found.fetchedAt)).description.prefix(10)
      origin = "snapshot\(snapshot), fetched \(date)"
    } else {
      origin = "bundled database\(snapshot)"
    }
  }
}

/// The sizes of pathways in aligned columns, so that rows can be compared down the page.
struct PathwayColumns: Sendable {
  private typealias Cell = (number: String, unit: String)

  /// The digits of the largest number and the width of the widest unit, by column.
  private let widths: [(digits: Int, unit: Int)]

  init(_ members: [MetabolicDatabase.PathwayMembers]) {
    var widths: [(digits: Int, unit: Int)] = []
    for row in members {
      for (column, cell) in Self.cells(row).enumerated() {
        if column == widths.count { widths.append((0, 0)) }
        widths[column].digits = max(widths[column].digits, cell.number.utf8.count)
        widths[column].unit = max(widths[column].unit, cell.unit.utf8.count)
      }
    }
    self.widths = widths
  }

  /// The minimum number of columns left for names beside the numbers.
  private static let leastName = 34

  /// Returns the number of leading columns that fit into rows of a width.
  func count(inWidth width: Int) -> Int {
    (0...widths.count).last { $0 == 0 || self.width(ofFirst: $0) + Self.leastName <= width - 6 } ?? 0
  }

  private func width(ofFirst count: Int) -> Int {
    widths.prefix(count).filter { $0.unit > 0 }.reduce(-2) { $0 + $1.digits + 1 + $1.unit + 2 }
  }

  /// Returns the first columns of a pathway's row, as wide as those of all other rows.
  func text(of members: MetabolicDatabase.PathwayMembers, first count: Int) -> String {
    let cells = zip(Self.cells(members), widths).prefix(count).filter { $0.1.unit > 0 }.map { cell, width in
      TextWidth.padded(cell.number, to: width.digits, right: true) + " " + TextWidth.padded(cell.unit, to: width.unit)
    }
    return cells.joined(separator: "  ")
  }

  /// Returns numbers with their units; a single tissue is not worth showing.
  private static func cells(_ members: MetabolicDatabase.PathwayMembers) -> [Cell] {
    let tissues = members.tissues.count
    return [
      cell(members.processes.count, "process", "processes"), cell(members.metabolites.count, "metabolite"),
      cell(members.compartments.count, "compartment"), tissues > 1 ? cell(tissues, "tissue") : ("", ""),
    ]
  }

  private static func cell(_ count: Int, _ one: String, _ many: String? = nil) -> Cell {
    ("\(count)", count == 1 ? one : many ?? one + "s")
  }
}
