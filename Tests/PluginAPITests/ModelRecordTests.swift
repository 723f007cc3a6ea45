import PluginAPI
import Testing

/// A drilled core, with a field of every type.
private struct Core: Model, Equatable {
  enum Kind: String, CaseIterable, ReadableField { case ice, rock }

  var title = "EPICA"
  var depth = 3270.2
  var count = 7
  var isWhole = true
  var kind = Kind.ice
  var drilled = Instant(seconds: 86_400, nanoseconds: 0)
  var picture = Picture(width: 1, height: 1, pixels: [1, 2, 3, 4])
  var spectrum = NumericArray([1, 2] as [Int16])
  var extra: Value = ["a": 1]
  var note: String? = "dry"
  var age: Int? = 800
  var kinds = [Kind.ice, .rock]
  var rows = [[1.5, 2.5], [3.5]]
  var amounts = ["dust": 3, "ash": 4]
  var share = 0.126

  static let typeName = "test.core"
  static let fields = Fields<Core> {
    Field("label", \.title, "Title")
    Field("depth", \.depth, "Depth", heading: "Depth")
    Field("count", \.count, "Count", heading: "Count")
    Field("isWhole", \.isWhole, "Whole")
    Field("kind", \.kind, "Kind")
    Field("drilled", \.drilled, "Date")
    Field("picture", \.picture, "Picture")
    Field("spectrum", \.spectrum, "Spectrum")
    Field("extra", \.extra, "Extra")
    Field("note", \.note, "Note")
    Field("age", \.age, "Age")
    Field("kinds", \.kinds, "Kinds")
    Field("rows", \.rows, "Rows")
    Field("amounts", \.amounts, "Amounts")
    Field("share", \.share, as: { ($0 * 100).rounded() / 100 }, "Share", heading: "Share")
    Field("rowCount", \.rows.count, "Number of rows", heading: "Rows")
    Field("half", \.half, "Half of the count", heading: "Half")
    Field("doubled", { $0.count * 2 }, "Twice the count", heading: "Doubled")
  }

  var half: Int { count / 2 }
}

/// Numbers that are read by their index.
private struct Pair: Model {
  var numbers = [1, 2]

  subscript(index: Int) -> Int { numbers[index] }

  static let typeName = "test.pair"
  static let fields = Fields<Pair> {
    Field("first", \.[0], "First number")
    Field("second", \.[1], "Second number")
  }
}

/// A place where cores are drilled, with nested models.
private struct Site: Model {
  var core = Core()
  var spare: Core?
  var cores = [Core()]
  var others: [Core]?
  var table = ModelTable(rows: [Core()])
  var later: ModelTable<Core>?

  static let typeName = "test.site"
  static let fields = Fields<Site> {
    Field("core", \.core, "Core")
    Field("spare", \.spare, "Spare core")
    Field("cores", \.cores, "Cores")
    Field("others", \.others, "Other cores")
    Field("table", \.table, "Table of cores")
    Field("later", \.later, "Table of later cores")
  }
}

/// A model whose properties have no offset.
private final class Counter: Model {
  let count: Int

  init(_ count: Int) { self.count = count }

  static let typeName = "test.counter"
  static let fields = Fields<Counter> { Field("count", \.count, "Count", heading: "Count") }
}

/// Records read by the properties of their model.
struct ModelRecordTests {
  private let core = ModelRecord<Core>(Core().value)

  /// Returns a record of a core with the same value in every field.
  private func core(of value: Value) -> ModelRecord<Core> {
    ModelRecord(.record(Record(Core.fields.descriptions.map { Record.Field($0.name, value) })))
  }

  @Test func `every type of field is read as it was written`() {
    #expect(core[\.depth] == 3270.2 && core[\.count] == 7 && core[\.isWhole] && core[\.kind] == .ice)
    #expect(core[\.drilled] == Core().drilled && core[\.picture] == Core().picture)
    #expect(core[\.spectrum] == Core().spectrum && core[\.extra] == ["a": 1])
    #expect(core[\.note] == "dry" && core[\.age] == 800)
    #expect(core[\.kinds] == [.ice, .rock] && core[\.rows] == [[1.5, 2.5], [3.5]])
    #expect(core[\.amounts] == ["dust": 3, "ash": 4])
  }

  @Test func `a property is read by the name of its field`() {
    #expect(core[\.title] == "EPICA")
    #expect(ModelRecord<Core>(["label": "Vostok"])[\.title] == "Vostok")
    #expect(ModelRecord<Core>(["title": "Vostok"])[\.title].isEmpty)
  }

  @Test func `key paths that are made while the program runs are read as those of the declaration`() {
    for number in 0..<1000 {
      let record = ModelRecord<Pair>(["first": .integer(number), "second": .integer(-number)])
      #expect(record[\.[number % 2]] == (number % 2 == 0 ? number : -number))
    }
  }

  @Test func `computed and converted properties are read as they were written`() {
    #expect(core[\.half] == 3 && core[\.rows.count] == 2)
    #expect(core[\.share] == 0.13 && core.value["share"] == 0.13)
    #expect(ModelRecord<Core>(["rowCount": 9])[\.rows.count] == 9)
  }

  @Test func `missing fields have the empty content of their type`() {
    for record in [ModelRecord<Core>(.null), ModelRecord<Core>([:]), ModelRecord<Core>(5), core(of: .null)] {
      expectEmpty(record)
      #expect(record[\.extra].isNull)
    }
  }

  @Test func `fields of another kind have the empty content of their type`() {
    let record = core(of: .bytes([1]))
    expectEmpty(record)
    #expect(record[\.extra] == .bytes([1]))
  }

  private func expectEmpty(_ record: ModelRecord<Core>, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(record[\.title] == "" && record[\.count] == 0 && !record[\.isWhole], sourceLocation: sourceLocation)
    #expect(record[\.depth] == nil && record[\.kind] == nil, sourceLocation: sourceLocation)
    #expect(record[\.drilled] == nil && record[\.picture] == nil, sourceLocation: sourceLocation)
    #expect(record[\.spectrum] == nil && record[\.note] == nil && record[\.age] == nil, sourceLocation: sourceLocation)
    #expect(record[\.kinds].isEmpty && record[\.rows].isEmpty, sourceLocation: sourceLocation)
    #expect(record[\.amounts].isEmpty && record[\.half] == 0, sourceLocation: sourceLocation)
  }

  @Test func `elements of another kind are left out of lists and records`() {
    let record = ModelRecord<Core>([
      "kinds": ["rock", "water", 3, nil], "rows": [[1, "x"], "y"], "amounts": ["dust": 1, "ash": "much"],
    ])
    #expect(record[\.kinds] == [.rock])
    #expect(record[\.rows] == [[1]])
    #expect(record[\.amounts] == ["dust": 1])
  }

  @Test func `a number that is not one is read as nil`() {
    #expect(ModelRecord<Core>(Core(depth: .nan).value)[\.depth] == nil)
    #expect(ModelRecord<Core>(["depth": 2])[\.depth] == 2)
    #expect(ModelRecord<Core>(["count": 2.5])[\.count] == 0)
  }

  @Test func `nested models are read as records`() {
    let site = ModelRecord<Site>(Site(spare: Core(title: "Vostok"), others: [], later: ModelTable(rows: [])).value)
    #expect(site[\.core][\.title] == "EPICA")
    #expect(site[\.spare]?[\.title] == "Vostok")
    #expect(site[\.cores].map { $0[\.count] } == [7])
    #expect(site[\.others]?.count == 0)
    #expect(site[\.later]?.count == 0)
  }

  @Test func `rows of a table are read as records with the fields that have a heading`() {
    let rows = ModelRecord<Site>(Site().value)[\.table]
    #expect(rows.map { $0[\.count] } == [7] && rows.map { $0[\.share] } == [0.13])
    #expect(rows.map { $0[\.title] } == [""])
  }

  @Test func `missing nested models are empty`() {
    for value: Value in [.null, ["core": 1, "spare": 2, "cores": 3, "others": "x", "table": true, "later": [:]]] {
      let site = ModelRecord<Site>(value)
      #expect(site[\.core][\.title] == "" && site[\.spare] == nil)
      #expect(site[\.cores].isEmpty && site[\.others] == nil && site[\.table].isEmpty && site[\.later] == nil)
    }
  }

  @Test func `the records of an output are the elements of its list or the rows of its table`() {
    #expect(ModelRecord<Core>.list([Core().value, .null]).map { $0[\.count] } == [7, 0])
    #expect(
      ModelRecord<Core>.list(.table(Core.fields.table(of: [Core(), Core(count: 9)]))).map { $0[\.count] } == [7, 9])
    #expect(ModelRecord<Core>.list(Core().value).isEmpty && ModelRecord<Core>.list(.null).isEmpty)
  }

  @Test func `columns have stored, computed and converted properties`() {
    let table = Core.fields.table(of: [Core(), Core(count: 9, share: 0.5)])
    #expect(table.columns.map(\.name) == ["depth", "count", "share", "rowCount", "half", "doubled"])
    #expect(table["count"]?.values == .integers([7, 9]) && table["half"]?.values == .integers([3, 4]))
    #expect(table["rowCount"]?.values == .integers([2, 2]) && table["doubled"]?.values == .integers([14, 18]))
    guard case .numbers(let shares) = table["share"]?.values else {
      Issue.record("the shares are not a column of numbers")
      return
    }
    #expect(shares.values == [0.13, 0.5])
  }

  @Test func `properties of classes are written and read`() {
    #expect(ModelRecord<Counter>(Counter(3).value)[\.count] == 3)
    #expect(Counter.fields.table(of: [Counter(1), Counter(2)])["count"]?.values == .integers([1, 2]))
  }
}
