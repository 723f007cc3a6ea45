import Testing

@testable import WSABI

/// The times in a service's information, in any unit.
struct ServiceInformationTests {
  @Test(
    arguments: [
      ("0", nil), ("-1", nil), ("soon", nil), ("30", 30), ("3600", 3600), ("3601", 3), ("7200", 7), ("60000", 60),
      ("86400", 86), ("3600000", 3600),
    ] as [(String, Int?)])
  func `an inactivity timeout above 3600 is read as milliseconds`(_ text: String, _ seconds: Int?) {
    let parameters = WireDictionary([.init("inactivityTimeout", .string(text))])
    let information = ServiceInformation(parameters, namespace: .bioserv)
    #expect(information.inactivityTimeoutInSeconds == seconds)
  }
}
