import PluginAPI
import Testing

@testable import PathCase

extension NetworkExport.Format {
  /// Returns the file that `export` writes for a network, in the format with a name.
  static func written(_ network: OpenedNetwork, as name: String) throws -> WrittenMap {
    let format = try #require(Self(parameterValue: .text(name)), "no format is called '\(name)'")
    return try format.write(network) { false }
  }
}

/// The writers of maps that need the position of each node.
enum PlacedMapWriters {
  static let all: [@Sendable (MapDocument) throws -> WrittenMap] = [
    { try EscherWriter.write($0) }, { try SBGNWriter.write($0) }, { try KGMLWriter.write($0) },
  ]
}
