/// The files of a simulated data set, generated on request.
enum SimulatedDataSet {
  /// A file of a data set.
  struct File {
    var path: String
    var bytes: [UInt8]

    /// The media type that a real data store reports for a file of that name.
    var mediaType: String {
      switch path.split(separator: ".").last {
      case "png": "image/png"
      case "jpg": "image/jpeg"
      case "svg": "image/svg+xml"
      case "html": "text/html"
      case "txt", "csv": "text/plain"
      default: "application/octet-stream"
      }
    }
  }

  /// Returns the code of the data set of the sample at an index.
  static func code(_ index: Int) -> String { "20240102080000000-\(index + 1)" }

  /// Returns the index of the sample that owns a data set.
  static func index(ofCode code: String) -> Int? {
    guard code.hasPrefix("20240102080000000-"), let number = Int(code.dropFirst(18)), number > 0 else { return nil }
    return number - 1
  }

  /// The folders of each data set.
  static let folders = ["original", "original/notes"]

  static func files(_ index: Int) -> [File] {
    let seed = UInt64(truncatingIfNeeded: index)
    var chance = SimulatedChance(seed, 17)
    let notes = (1...20).map { "\($0). \(chance.sentence(8))." }.joined(separator: "\n") + "\n"
    let table =
      "time,temperature,label\n"
      + (0..<50).map { "\($0 * 10),\(20 + chance.below(15)).\(chance.below(10)),\(chance.sentence(2))\n" }.joined()
    let curve = (0..<40_000).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ index) }
    return [
      File(path: "original/gel.png", bytes: SimulatedPictures.gel(seed)),
      File(path: "original/molecule.png", bytes: SimulatedPictures.png(seed)),
      File(path: "original/photograph.jpg", bytes: SimulatedPictures.jpeg(seed)),
      File(path: "original/map.svg", bytes: SimulatedPictures.svg(seed)),
      File(path: "original/values.csv", bytes: Array(table.utf8)),
      File(path: "original/raw data #1.bin", bytes: curve),
      File(path: "original/notes/notes.txt", bytes: Array(notes.utf8)),
    ]
  }
}

extension SimulatedView {
  /// Returns true if the sample at an index has a data set: every tenth has one.
  func hasDataSet(_ index: Int) -> Bool { index % 10 == 0 && entity(index) != nil }

  /// The index of each sample type.
  var sampleTypePlaces: [String: Int] { frameIndex.sampleTypes }

  /// All property types, each once.
  var propertyTypes: [SimulatedFrame.PropertyType] { frameIndex.propertyTypes }
}

/// The lookup tables of a lab's frame.
struct SimulatedFrameIndex: Sendable {
  let sampleTypes: [String: Int]
  let propertyTypes: [SimulatedFrame.PropertyType]

  init(_ frame: SimulatedFrame) {
    sampleTypes = Dictionary(
      frame.sampleTypes.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<String> = []
    propertyTypes = (frame.sampleTypes + frame.experimentTypes + frame.dataSetTypes).flatMap(\.properties)
      .filter { seen.insert($0.code).inserted }
  }
}
