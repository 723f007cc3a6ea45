import PluginNet
import PluginText

/// A maker of connections to sensors according to the user's settings.
struct SensorAccess: Sendable {
  private let isOffline: Bool
  private let allowed: AllowedHosts
  private let limits: SensorLimits

  /// - Parameters:
  ///   - isOffline: True if no requests are allowed to any host.
  ///   - allowed: The hosts on which sensors are allowed.
  init(isOffline: Bool, allowed: AllowedHosts = AllowedHosts(""), limits: SensorLimits = SensorLimits()) {
    (self.isOffline, self.allowed, self.limits) = (isOffline, allowed, limits)
  }

  /// Returns a connection with exactly the trust of the address.
  ///
  /// - Parameter upkeep: The upkeep of the service before each request; nil for services of others.
  func connection(_ address: SensorAddress, upkeep: ServiceUpkeep? = nil) -> SensorConnection {
    SensorConnection(
      address, HTTPClient(configuration(address)), limits: limits, isAllowed: allowed.allows(address.host),
      upkeep: upkeep)
  }

  /// Returns the certificate that a sensor presents, before it is trusted.
  ///
  /// - Throws: `SensorFault`, also for an address without encryption.
  func certificate(_ address: SensorAddress) async throws(SensorFault) -> SensorCertificate {
    let isAllowed = allowed.allows(address.host)
    guard isAllowed, address.isSecure else {
      let kind = isAllowed ? SensorFault.Kind.unaskable(reason: "its address is not of https") : .forbidden
      throw SensorFault(kind, .notSent, .getServiceInfo, address: address.text)
    }
    do {
      let found = try await HTTPClient(configuration(address)).certificate(of: address.text)
      return SensorCertificate(
        pin: found.pin, subject: SanitizedText.line(found.subject, limit: 300),
        issuer: SanitizedText.line(found.issuer, limit: 300),
        validFrom: SanitizedText.line(found.validFrom, limit: 100),
        validUntil: SanitizedText.line(found.validUntil, limit: 100),
        problem: found.problem.map { SanitizedText.line($0, limit: 300) })
    } catch {
      throw SensorFault(error, .getServiceInfo, address: address.text)
    }
  }

  private func configuration(_ address: SensorAddress) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(isOffline: isOffline)
    let trust = address.trust
    if !trust.pins.isEmpty {
      configuration.pins[address.host] = .init(trust.pins, trustsAlone: trust.authorities.isEmpty)
    }
    if !trust.authorities.isEmpty { configuration.certificates = trust.authorities }
    if !trust.clientCertificate.isEmpty { configuration.clientCertificate = trust.clientCertificate }
    if !trust.clientKey.isEmpty { configuration.clientKey = trust.clientKey }
    return configuration
  }
}
