import BenchmarkSupport
import PluginText

/// A table as in the response of an openBIS server: rows of cells, each an object with a text, some of them JSON again.
struct TableDocument {
  /// The document.
  let bytes: [UInt8]

  /// Makes a document of so many rows, about 460 bytes each.
  init(rows: Int) {
    var random = SplitMix64(seed: 46)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rows * 480)
    var id = 1
    func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
    func cell(_ value: String) {
      id += 1
      add("{\"@id\":\(id),\"type\":\"STRING\",\"value\":\"\(value)\"}")
    }
    add("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"@type\":\"QueryTableModel\",\"@id\":1,\"rows\":[")
    for row in 0..<rows {
      add(row == 0 ? "[" : ",[")
      let number = 20_130_000_000_000 + row
      cell("\(number)-\(random.next(below: 1 << 20))")
      add(",")
      cell("{\\\"space\\\":\\\"S\(row % 40)\\\",\\\"sample\\\":\(number)}")
      add(",")
      cell("Proben für Versuch \(row % 1000)")
      add(",")
      cell("Sample \(row), taken at \(random.next(below: 40)) degrees by station \(random.next(below: 400))")
      add(",")
      cell("[\\\"\(number - 1)-1\\\",\\\"\(number - 2)-2\\\",\\\"\(number - 3)-3\\\"]")
      add(",")
      cell(random.next(below: 4) == 0 ? "true" : "")
      add("]")
    }
    add("]}}")
    self.bytes = bytes
  }
}
