import PluginAPI

/// The energy of photons.
final class PhotonPlugin: Plugin {
  let identity = PluginIdentity(
    id: "photon", name: "Photon", version: "1.0.0", summary: "Energy of a photon from its wavelength")

  var parts: PluginParts { PluginParts(commands: [Self.energy]) }

  private static let wavelength = Argument("wavelength", Wavelength.self, "Wavelength in vacuum", unit: "nanometre")

  private static let energy = CommandPart(
    CommandDescription("energy", "Compute the energy of a photon", output: .model(Photon.self), effects: [])
      .taking(wavelength).explained(examples: [.init("energy 500", "Green light")])
  ) { call in
    try await call.emit(Photon(wavelength: call[wavelength].nanometers))
  }
}

/// A wavelength above zero.
struct Wavelength: ParameterValue {
  let nanometers: Double

  static let parameterKind = Parameter.Kind.number(minimum: 1e-6, maximum: 1e15)

  init?(parameterValue: Value) {
    guard let number = parameterValue.number else { return nil }
    nanometers = number
  }

  var parameterValue: Value { .number(nanometers) }
}

/// A photon.
struct Photon: Model, Equatable {
  /// The wavelength in vacuum, in nanometers.
  var wavelength: Double

  /// The energy in electronvolts.
  ///
  /// - Source: SI Brochure, 9th edition (2019): exact values of h, c and e.
  var energy: Double { 6.626_070_15e-34 * 299_792_458 / (wavelength * 1e-9) / 1.602_176_634e-19 }

  static let typeName = "photon.photon"
  static let fields = Fields<Photon> {
    Field("wavelength", \.wavelength, "Wavelength in vacuum", heading: "Wavelength", unit: "nanometre", decimals: 1)
    Field("energy", \.energy, "Energy of a photon", heading: "Energy", unit: "electronvolt", decimals: 4)
  }
}

/// Returns the plugin in a box; the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(PhotonPlugin())
}
