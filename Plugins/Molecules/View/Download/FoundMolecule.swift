import PluginAPI

/// A search result as shown on screens.
struct FoundMolecule: Equatable, Sendable {
  var code: String
  var title: String
  /// The experimental method, or the formula of a compound.
  var method: String
  /// The resolution in ångström.
  var resolution: Double?

  /// Creates it from the fields of a search result.
  init(_ value: Value) {
    code = value["code"].text ?? ""
    title = value["title"].text ?? ""
    method = value["method"].text ?? ""
    resolution = value["resolution"].number
  }

  /// Method and resolution in short form, such as `X-ray 1.74 Å`.
  var quality: String {
    [Self.short(method), resolution.map { Self.number($0) + " Å" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static let shortMethods = [
    "X-RAY DIFFRACTION": "X-ray", "ELECTRON MICROSCOPY": "EM", "SOLUTION NMR": "NMR", "SOLID-STATE NMR": "NMR",
    "NEUTRON DIFFRACTION": "neutrons", "FIBER DIFFRACTION": "fibre", "ELECTRON CRYSTALLOGRAPHY": "electrons",
  ]

  private static func short(_ method: String) -> String {
    let parts = method.split(separator: ";").map { $0.drop { $0 == " " } }
    return parts.map { shortMethods[$0.uppercased()] ?? String($0) }.joined(separator: "/")
  }

  /// Returns a number with at most two decimals.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
    return "\((value * 100).rounded() / 100)"
  }
}
