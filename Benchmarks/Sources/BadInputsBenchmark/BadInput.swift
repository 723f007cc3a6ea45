import BenchmarkSupport
import PluginAPI
import PluginJSON
import PluginText

/// A bad input of the list, with the expected outcome.
struct BadInput {
  var file: String
  /// `reject`, `accept` or `accept+warn`.
  var expect: String
  /// The code of its error or warning; empty for none.
  var code: String

  /// Those of the list in the folder of the shared data.
  static func all(in folder: String) throws -> [BadInput] {
    let list = try Value(json: FileBytes.read(folder + "/bad/INDEX.json")).list ?? []
    return list.compactMap { entry in
      guard let file = entry["file"].text, let expect = entry["expect"].text, let code = entry["code"].text else {
        return nil
      }
      return BadInput(file: file, expect: expect, code: code.isEmpty ? "" : "pathcase." + code.lowercased())
    }
  }

  /// The number the name begins with.
  var number: Int { Int(file.prefix(2)) ?? 0 }

  /// A Boolean value indicating the largest input, whose time has no limit.
  var isLarge: Bool { number == 60 }

  /// The place of the document in a snapshot, for documents that are wrong only together with others.
  var place: String? {
    switch number {
    case 19: "tissues.xml"
    case 22: "pools.xml"
    case 23, 31: "processes.xml"
    case 40, 42, 43: "layouts/w-cori.xml"
    default: nil
    }
  }

  /// Returns true if a run ended as listed.
  func isRight(_ usage: Program.Usage) -> Bool {
    let isTold = code.isEmpty || usage.errors.contains("\"\(code)\"")
    return usage.status == (expect == "reject" ? 5 : 0) && isTold
  }
}

/// A snapshot in a folder, with a bad document in the place of a good one.
struct SnapshotFolder {
  private static let paths = [
    "tissues.xml", "compartments.xml", "metabolites.xml", "pools.xml", "processes.xml", "pathways.xml",
    "smdapathways.xml", "ranges.xml", "layouts/w-cori.xml", "layouts/w-glycogen.xml", "layouts/w-pyr.xml",
  ]

  /// Writes it, with a manifest that fits.
  ///
  /// - Parameter source: The folder of the good snapshot.
  static func write(_ bad: [UInt8], as place: String, source: String, to folder: String) throws {
    var lines: [String] = []
    for path in paths {
      let bytes = path == place ? bad : try FileBytes.read(source + "/" + path)
      try FileBytes.write(bytes, folder + "/" + path)
      lines.append("<Document path=\"\(path)\" sha256=\"\(SHA256.hexadecimal(of: bytes))\" bytes=\"\(bytes.count)\"/>")
    }
    let manifest =
      "<MAW xmlns=\"urn:pathcase:maw:1\" type=\"manifest\" version=\"1\" snapshot=\"cori\">\(lines.joined())</MAW>"
    try FileBytes.write(Array(manifest.utf8), folder + "/manifest.xml")
  }
}
