import PluginAPI

/// Renders the results of `scan`, a line for each match.
struct MotifRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.motifSites }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let sites = value.list ?? []
    if sites.isEmpty { text.add(.init("No matches", .secondary)) }
    for match in sites.chunked(by: ["file", "match"]) {
      let names = match.map { $0["site"].text ?? "" }
      let model = match[0]["model"].integer ?? 1
      var line = [(match[0]["file"].text ?? "") + (model == 1 ? "" : " model \(model)")]
      line += match.map { Self.text($0, names) }
      if let rmsd = match[0]["rmsd"].number { line.append("RMSD \(FixedText.text(rmsd, decimals: 3)) Å") }
      text.add(.init(line.joined(separator: "  ")))
    }
    return text
  }

  /// Returns a site as `h A/HIS57/NE2 (s 2.712)`, with the distances to the sites before it.
  private static func text(_ site: Value, _ names: [String]) -> String {
    let residue = "\(site["residue"].text ?? "")\(site["number"].integer ?? 0)\(site["insertionCode"].text ?? "")"
    let alternate = site["alternate"].text.map { $0.isEmpty ? "" : "@" + $0 } ?? ""
    let label = "\(site["chain"].text ?? "")/\(residue)/\(site["atoms"].text ?? "")\(alternate)"
    let distances = zip(names, site["distances"].list ?? []).map { name, distance in
      "\(name) \(FixedText.text(distance.number ?? .nan, decimals: 3))"
    }
    let name = site["site"].text ?? ""
    return (name.isEmpty ? "" : name + " ") + label
      + (distances.isEmpty ? "" : " (\(distances.joined(separator: ", ")))")
  }
}

extension [Value] {
  /// Returns the runs of consecutive records with the same values in some fields.
  fileprivate func chunked(by fields: [String]) -> [[Value]] {
    reduce(into: []) { chunks, record in
      if let last = chunks.last?.last, fields.allSatisfy({ last[$0] == record[$0] }) {
        chunks[chunks.count - 1].append(record)
      } else {
        chunks.append([record])
      }
    }
  }
}
