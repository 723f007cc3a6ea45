import PluginAPI

/// People, their biometric data, and the WS-Biometric Devices that capture it.
final class WSABIPlugin: Plugin {
  static let version = "0.1.0"
  let identity = PluginIdentity(
    id: "wsabi", name: "WSABI", version: version, summary: "Biometric captures of people with WS-Biometric Devices")
  let station: Station

  /// - Parameters:
  ///   - cameras: The cameras of the machine, unless a test simulates others.
  ///   - times: The waiting times of links.
  init(cameras: LocalCameras = LocalCameras(), times: LinkTimes = LinkTimes()) {
    station = Station(cameras: cameras, times: times)
  }

  var parts: PluginParts {
    PluginParts(
      commands: { [station] in WSABICommands.all.map { $0.recorded(at: station) } },
      screens: { [station] in WSABIScreens.parts { ScreenStation($0, station) } },
      stores: { [station] in
        [
          StorePart(
            RecordStore.storeName, "People, items, captures and the audit log, encrypted; 'store init' creates its key"
          ) { station.madeRecords($0) }
        ]
      },
      textRenderers: { Self.textRenderers.map { renderer in TextRendererPart(renderer.typeName) { _ in renderer } } },
      fileTypes: { ExchangeCommands.fileTypes },
      settings: { WSABISettings.all },
      topics: { Self.topics },
      errorCodes: { WSABIErrorCodes.all + WSABIScreens.errorCodes })
  }

  private static let topics =
    [
      TopicDescription(
        Station.recordsChanged,
        "Change of a person's row; the payload is the person's number, 0 for all people, or null",
        payload: .optional(.integer)),
      TopicDescription(
        Station.sensorNoted, "Event at a sensor; the payload names event, sensor and item",
        payload: SensorEvent.schema),
      TopicDescription(Station.storeChanged, "Change of the store", payload: .any),
    ] + WSABIScreens.topics

  private static let textRenderers: [any TextRenderer] = [
    PersonRenderer(typeName: WSABIValueType.person), PeopleRenderer(typeName: WSABIValueType.people),
    ItemRenderer(typeName: WSABIValueType.item), ItemsRenderer(typeName: WSABIValueType.items),
    EnrolledRenderer(typeName: WSABIValueType.enrolled), CapturesRenderer(typeName: WSABIValueType.captures),
    CaptureRunRenderer(typeName: WSABIValueType.captureRun),
    CaptureRunRenderer(typeName: WSABIValueType.capturedItems),
    SensorCheckRenderer(typeName: WSABIValueType.sensorCheck),
    DiscoveredRenderer(typeName: WSABIValueType.discovered),
    SensorAnswerRenderer(typeName: WSABIValueType.sensorAnswer),
    OperationsRenderer(typeName: WSABIValueType.operations), UsersRenderer(typeName: WSABIValueType.users),
    LogRenderer(typeName: WSABIValueType.log), PersonCheckRenderer(typeName: WSABIValueType.personCheck),
    ExportedRenderer(typeName: WSABIValueType.exported), ImportedRenderer(typeName: WSABIValueType.imported),
  ]
}

/// Returns the plugin: the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(WSABIPlugin())
}
