import PluginAPI

/// The services, as configured in the settings.
struct ServiceAccess: Sendable {
  /// The code of a molecule at a service.
  static let code = Argument(
    "code", optional: String.self, "entry code, as search gives it; not needed with --url")

  /// The option for the service; defaults to the setting.
  static let service = Option(
    "service", MoleculeService.self,
    "where it comes from: rcsb is the Protein Data Bank, soap and text its protocols of 2008 and 2009, pubchem has "
      + "small molecules, alphafold predicted proteins; the setting 'service' unless it is given")

  /// The plugin's settings for services.
  static let settings: [Parameter] =
    [
      Parameter(
        "service", MoleculeService.parameterKind, "where molecules come from unless a command says",
        defaultValue: MoleculeService.rcsb.parameterValue),
      Parameter("certificates", .text, "PEM file with the certificates to trust; the system's if it is empty"),
      Parameter(
        "deadline", .number(minimum: 0.1, maximum: 3600), "the time for each question to a service", unit: "second",
        defaultValue: 60),
      Parameter(
        "repeat-delay", .number(minimum: 0, maximum: 60), "the time before a question is repeated", unit: "second",
        defaultValue: 0.5),
      Parameter(
        "download-limit", .integer(minimum: 1, maximum: 2048), "the largest file that is downloaded, in MiB",
        unit: "MiB", defaultValue: 512),
      Parameter(
        "browser", .text, "the program that opens web pages, called with the address", defaultValue: "xdg-open"),
    ] + ServiceEndpoints.settings

  let services: RemoteServices
  private let context: any PluginContext

  init(_ context: any PluginContext) {
    self.context = context
    let certificates = context.setting("certificates").text ?? ""
    services = RemoteServices(
      .init(
        isOffline: context.isOffline, certificates: certificates.isEmpty ? nil : certificates,
        deadlineInSeconds: context.setting("deadline").number ?? 60,
        firstDelayInSeconds: context.setting("repeat-delay").number ?? 0.5),
      ServiceEndpoints { context.setting($0) })
  }

  /// Returns the service requested by a call.
  func service(_ call: CommandCall) -> MoleculeService {
    call[Self.service] ?? MoleculeService(parameterValue: context.setting("service")) ?? .rcsb
  }

  /// The limit of downloaded files, in bytes.
  var downloadLimitInBytes: Int { (context.setting("download-limit").integer ?? 512) << 20 }

  /// The program that opens web pages.
  var browser: String { context.setting("browser").text ?? "xdg-open" }
}
