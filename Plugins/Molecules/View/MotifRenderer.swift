import PluginAPI

/// Renders the results of `scan`, a line for each match.
struct MotifRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.motifSites }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let sites = ModelRecord<MotifSite>.list(value)
    if sites.isEmpty { text.add(.init("No matches", .secondary)) }
    for match in Self.matches(sites) {
      let names = match.map { $0[\.site] }
      let model = match[0][\.model]
      var line = [match[0][\.file] + (model == 1 ? "" : " model \(model)")]
      line += match.map { Self.text($0, names) }
      if let rmsd = match[0][\.rmsd] { line.append("RMSD \(FixedText.text(rmsd, decimals: 3)) Å") }
      text.add(.init(line.joined(separator: "  ")))
    }
    return text
  }

  /// Returns a site as `h A/HIS57/NE2 (s 2.712)`, with the distances to the sites before it.
  private static func text(_ site: ModelRecord<MotifSite>, _ names: [String]) -> String {
    let residue = "\(site[\.residue.name])\(site[\.number])\(site[\.residue.insertionCode.mark])"
    let (name, alternate) = (site[\.site], site[\.alternate])
    let label = "\(site[\.residue.chain])/\(residue)/\(site[\.atomNames])" + (alternate.isEmpty ? "" : "@" + alternate)
    let distances = zip(names, site[\.distances]).map { "\($0) \(FixedText.text($1, decimals: 3))" }
    return (name.isEmpty ? "" : name + " ") + label
      + (distances.isEmpty ? "" : " (\(distances.joined(separator: ", ")))")
  }

  /// Returns the runs of consecutive sites of the same match.
  private static func matches(_ sites: [ModelRecord<MotifSite>]) -> [[ModelRecord<MotifSite>]] {
    sites.reduce(into: []) { matches, site in
      if let last = matches.last?.last, last[\.file] == site[\.file], last[\.match] == site[\.match] {
        matches[matches.count - 1].append(site)
      } else {
        matches.append([site])
      }
    }
  }
}
