# Made by Scripts/make-client-stubs from the descriptions of the commands.
import datetime
import decimal
import os
from typing import Any, Awaitable, Callable, Dict, Generic, List, Literal, Optional, Sequence, Tuple, TypeVar, Union

from typing_extensions import Concatenate, ParamSpec

from ._asynchronous import AsyncStream
from ._client import Handle, Stream
from ._values import Array, Picture, Quantity, Record, Records, Table

P = ParamSpec("P")
R = TypeVar("R")
Path = Union[str, "os.PathLike[str]"]
Date = Union[str, datetime.datetime, datetime.date]
Number = Union[float, Quantity, decimal.Decimal]
Progress = Optional[Callable[[str, Optional[float]], Any]]
Size = Union[str, Tuple[int, int], None]

class Command(Generic[P, R]):
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    def start(self, *args: P.args, **kwargs: P.kwargs) -> Handle: ...
    def stream(self, *args: P.args, **kwargs: P.kwargs) -> Stream: ...

class AsyncCommand(Generic[P, R]):
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Awaitable[R]: ...
    def start(self, *args: P.args, **kwargs: P.kwargs) -> Awaitable[R]: ...
    def stream(self, *args: P.args, **kwargs: P.kwargs) -> AsyncStream: ...

def command(function: Callable[Concatenate[Any, P], R]) -> Command[P, R]: ...
def async_command(function: Callable[Concatenate[Any, P], R]) -> AsyncCommand[P, R]: ...

class PluginInfoResult(Record):
    id: Optional[str]
    name: Optional[str]
    version: Optional[str]
    state: str
    source: str
    isolation: str
    signed: bool
    path: str
    code: Optional[str]
    reason: Optional[str]
    summary: str
    contractRevision: Optional[int]
    compiler: Optional[str]
    needs: List[str]
    modules: List[str]
    sha256: Optional[str]
    installedFrom: Optional[str]
    installedAt: Optional[str]
    commands: List[str]
    screens: List[str]
    stores: List[str]
    fileTypes: List[str]
    checks: List[str]
    pinned: bool
    key: Optional[str]
    indexedBy: Optional[str]
    previousVersion: Optional[str]

class PluginWhyResult(Record):
    command: str
    plugin: str
    path: str
    source: str
    summary: str

class PluginEnableResult(Record):
    id: str
    state: str
    path: str

class PluginDisableResult(Record):
    id: str
    state: str
    path: str

class PluginProbeResult(Record):
    id: str
    version: str
    path: str
    contractRevision: Optional[int]
    compiler: Optional[str]
    needs: List[str]
    modules: List[str]
    commands: List[str]
    screens: List[str]
    milliseconds: float

class PluginUnquarantineResult(Record):
    id: str
    state: str
    path: str

class PluginInstallResult(Record):
    id: str
    version: str
    path: str
    sha256: str
    replaced: Optional[str]
    source: Optional[str]
    key: Optional[str]

class PluginRollbackResult(Record):
    id: str
    version: str
    path: str
    sha256: str
    replaced: Optional[str]
    source: Optional[str]
    key: Optional[str]

class PluginPinResult(Record):
    id: str
    version: Optional[str]
    pinned: bool

class PluginUnpinResult(Record):
    id: str
    version: Optional[str]
    pinned: bool

class PluginRemoveResult(Record):
    id: str
    removed: str

class PluginPackResult(Record):
    id: str
    version: str
    file: str
    signature: Optional[str]
    sha256: str
    size: int
    contractRevision: Optional[int]
    compiler: Optional[str]
    os: str
    arch: str
    libc: str
    effects: List[str]

class PluginSourceAddResult(Record):
    name: str
    location: str
    key: str

class PluginSourceRemoveResult(Record):
    name: str

class PluginBisectResult(Record):
    command: str
    failure: str
    plugins: List[str]
    runs: int

class PluginNewResult(Record):
    id: str
    language: str
    folder: str
    files: List[str]

class SdkPathResult(Record):
    path: str
    modules: str
    headers: str
    sources: str
    python: Optional[str]
    r: Optional[str]
    guide: Optional[str]
    contract: int
    compiler: str

class StoreBackupResult(Record):
    store: str
    file: str
    bytes: Optional[int]

class StoreRestoreResult(Record):
    store: str

class StoreShareResult(Record):
    store: str
    backend: str
    copied: int
    known: int
    notCopied: int

class StoreUnshareResult(Record):
    store: str
    backend: str

class BatchRunResult(Record):
    run: str
    state: str
    done: int
    errors: Record
    lost: int
    shards: Record
    itemsPerSecond: Optional[float]
    secondsLeft: Optional[float]
    prediction: Optional[Record]
    gather: Optional[Record]
    engine: Optional[Record]

class BatchSubmitResult(Record):
    run: str
    state: str
    done: int
    errors: Record
    lost: int
    shards: Record
    itemsPerSecond: Optional[float]
    secondsLeft: Optional[float]
    prediction: Optional[Record]
    gather: Optional[Record]
    engine: Optional[Record]

class BatchPlanResult(Record):
    run: str
    state: str
    done: int
    errors: Record
    lost: int
    shards: Record
    itemsPerSecond: Optional[float]
    secondsLeft: Optional[float]
    prediction: Optional[Record]
    gather: Optional[Record]
    engine: Optional[Record]

class BatchWorkResult(Record):
    run: str
    state: str
    done: int
    errors: Record
    lost: int
    shards: Record
    itemsPerSecond: Optional[float]
    secondsLeft: Optional[float]
    prediction: Optional[Record]
    gather: Optional[Record]
    engine: Optional[Record]

class BatchStatusResult(Record):
    run: str
    state: str
    done: int
    errors: Record
    lost: int
    shards: Record
    itemsPerSecond: Optional[float]
    secondsLeft: Optional[float]
    prediction: Optional[Record]
    gather: Optional[Record]
    engine: Optional[Record]

class BatchRetryResult(Record):
    run: str
    state: str
    done: int
    errors: Record
    lost: int
    shards: Record
    itemsPerSecond: Optional[float]
    secondsLeft: Optional[float]
    prediction: Optional[Record]
    gather: Optional[Record]
    engine: Optional[Record]

class BatchCancelResult(Record):
    run: str

class BatchVerifyResult(Record):
    damagedLines: int
    sampled: int
    differing: Records

class BatchRemoveResult(Record):
    run: str

class ConfigExplainResult(Record):
    name: str
    summary: str
    accepts: str
    value: Any
    source: str
    sources: Records

class BugreportResult(Record):
    sections: Records

class VersionResult(Record):
    version: str
    contract: int
    oldestContract: int
    compiler: str

class MoleculesDeleteResult(Record):
    id: int
    code: str
    title: str
    file: str

class MoleculesOpenResult(Record):
    id: int
    code: str
    title: str
    format: str
    atoms: int
    bonds: int
    models: int
    addedAt: datetime.datetime

class MoleculesRebuildLibraryResult(Record):
    store: str
    molecules: int
    before: Optional[int]
    damagedFile: str
    lost: Optional[List[str]]

class MoleculesInfoResult(Record):
    id: Optional[int]
    code: Optional[str]
    title: Optional[str]
    method: Optional[str]
    resolution: Optional[float]
    format: str
    models: int
    chains: int
    residues: int
    atoms: int
    atomsAllModels: int
    waters: int
    heteroAtoms: int
    altlocAtoms: int
    insertionCodeResidues: int
    anisotropicAtoms: int
    elements: Record
    coordinateSum: List[float]
    occupancySum: float
    bFactorSum: float
    helices: int
    sheets: int
    strands: int
    bonds: int
    bondsByOrigin: Record
    assemblies: Records
    spaceGroup: Optional[str]
    cell: Optional[Record]
    metadata: Record
    diagnostics: Records
    file: str

class MoleculesSelectResult(Record):
    selection: str
    atoms: int
    residues: int
    waters: int
    ligands: int
    chains: List[str]
    elements: Record
    center: Optional[List[float]]
    residueLabels: List[str]

class MoleculesMeasureDistanceResult(Record):
    value: float
    unit: str
    points: Records

class MoleculesMeasureAngleResult(Record):
    value: float
    unit: str
    points: Records

class MoleculesMeasureDihedralResult(Record):
    value: float
    unit: str
    points: Records

class MoleculesSuperposeResult(Record):
    rmsd: float
    atoms: int
    rotation: Optional[List[List[float]]]
    translation: Optional[List[float]]
    rejected: int
    cycles: int
    identity: Optional[float]
    pairs: Table
    models: Table

class MoleculesSecondaryStructureResult(Record):
    chains: Record
    residues: Table

class MoleculesPageResult(Record):
    code: str
    title: str
    abstract: Optional[str]
    address: str
    text: Optional[str]
    links: Records

class MoleculesExportResult(Record):
    file: str
    format: str
    molecules: int
    models: int
    atoms: int
    bytes: int

class MoleculesSessionSaveResult(Record):
    file: str
    molecules: List[str]

class MoleculesSessionOpenResult(Record):
    file: str
    molecules: Records

class OpenbisLoginResult(Record):
    account: str
    server: str
    user: str
    backEnd: Optional[str]
    dataStore: Optional[str]
    dataStores: List[str]
    usesAccessToken: bool
    isCurrent: bool

class OpenbisTokenRevokeResult(Record):
    id: str
    name: str

class OpenbisSecretsStatusResult(Record):
    folder: str
    isEncrypted: bool
    key: Optional[str]
    isLocked: bool
    encrypted: int
    plain: int

class OpenbisSecretsEncryptResult(Record):
    folder: str
    isEncrypted: bool
    key: Optional[str]
    isLocked: bool
    encrypted: int
    plain: int

class OpenbisSecretsUnlockResult(Record):
    folder: str
    isEncrypted: bool
    key: Optional[str]
    isLocked: bool
    encrypted: int
    plain: int

class OpenbisSecretsLockResult(Record):
    folder: str
    isEncrypted: bool
    key: Optional[str]
    isLocked: bool
    encrypted: int
    plain: int

class OpenbisSecretsChangeKeyResult(Record):
    folder: str
    isEncrypted: bool
    key: Optional[str]
    isLocked: bool
    encrypted: int
    plain: int

class OpenbisSecretsDecryptResult(Record):
    folder: str
    isEncrypted: bool
    key: Optional[str]
    isLocked: bool
    encrypted: int
    plain: int

class OpenbisSyncResult(Record):
    categories: int
    roots: int
    entities: int
    added: int
    changed: int
    removed: int
    skipped: int
    milliseconds: int

class OpenbisDetailResult(Record):
    permId: str
    category: str
    summaryHeader: str
    summary: str
    identifier: Optional[str]
    children: Optional[List[str]]
    properties: Optional[Records]
    images: Optional[Records]
    state: List[str]
    updatedAt: Optional[datetime.datetime]

class OpenbisDownloadResult(Record):
    file: str
    bytes: int
    checked: bool
    files: Optional[int]
    kept: Optional[int]
    manifest: Optional[str]

class OpenbisMappingCheckResult(Record):
    name: str
    rules: int
    kinds: List[str]

class OpenbisMappingUseResult(Record):
    name: str
    rules: int
    kinds: List[str]

class PathcaseLayoutResult(Record):
    engine: str
    width: float
    height: float
    crossings: int
    isCoarse: bool
    milliseconds: float
    nodes: Records
    edges: Records
    compartments: Records

class PathcaseForgetResult(Record):
    forgotten: List[str]

class PathcaseSmdaResult(Record):
    network: str
    mode: str
    countedMode: str
    count: str
    pools: int
    processes: int
    labels: str
    observed: Records
    mustActive: List[str]
    mustForward: List[str]
    mustBackward: List[str]
    neverActive: List[str]
    page: Optional[int]
    pageSize: int
    looked: int
    scenarioNumbers: List[str]
    scenarios: List[Record]
    notes: List[str]
    missingRegulation: List[str]
    conflicts: Records
    marginals: Optional[Records]
    poolLevels: Optional[Record]

class PathcaseRulesResult(Record):
    labels: List[str]
    rules: Record
    triggers: Record
    statements: Record

class PathcaseFbaResult(Record):
    status: str
    objective: Optional[float]
    fluxes: Record

class PathcasePfbaResult(Record):
    status: str
    objective: Optional[float]
    fluxes: Record

class PathcaseModesResult(Record):
    status: str
    count: int
    reactions: int
    compressed: int
    modes: Table
    unused: List[str]

class PathcaseRollbackResult(Record):
    snapshot: str
    source: Optional[str]
    fetchedAt: Optional[datetime.datetime]
    pathways: int

class PathcaseFreezeResult(Record):
    pathway: str
    nodes: int
    isOwn: bool

class WsabiStoreInitResult(Record):
    folder: str
    exists: bool
    isLocked: bool
    user: Optional[str]
    role: Optional[str]

class WsabiStoreStatusResult(Record):
    folder: str
    exists: bool
    isLocked: bool
    user: Optional[str]
    role: Optional[str]

class WsabiStoreUnlockResult(Record):
    folder: str
    exists: bool
    isLocked: bool
    user: Optional[str]
    role: Optional[str]

class WsabiStoreLockResult(Record):
    folder: str
    exists: bool
    isLocked: bool
    user: Optional[str]
    role: Optional[str]

class WsabiStoreChangeKeyResult(Record):
    folder: str
    exists: bool
    isLocked: bool
    user: Optional[str]
    role: Optional[str]

class WsabiStoreChangeMasterKeyResult(Record):
    folder: str
    exists: bool
    isLocked: bool
    user: Optional[str]
    role: Optional[str]

class WsabiStoreCheckResult(Record):
    isWhole: bool
    problems: List[str]

class WsabiStorePurgeResult(Record):
    folder: str
    exists: bool
    isLocked: bool
    user: Optional[str]
    role: Optional[str]

class WsabiStoreRestoreResult(Record):
    folder: str
    entries: int
    continuesLog: bool
    returnedUsers: List[str]

class WsabiPersonAddResult(Record):
    id: int
    name: Optional[str]
    firstName: str
    middleName: str
    lastName: str
    otherName: str
    gender: str
    hairColor: str
    race: str
    eyeColor: str
    height: str
    weight: str
    notes: str
    alias: List[str]
    dateOfBirth: List[str]
    placeOfBirth: List[str]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiPersonShowResult(Record):
    id: int
    name: Optional[str]
    firstName: str
    middleName: str
    lastName: str
    otherName: str
    gender: str
    hairColor: str
    race: str
    eyeColor: str
    height: str
    weight: str
    notes: str
    alias: List[str]
    dateOfBirth: List[str]
    placeOfBirth: List[str]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiPersonEditResult(Record):
    id: int
    name: Optional[str]
    firstName: str
    middleName: str
    lastName: str
    otherName: str
    gender: str
    hairColor: str
    race: str
    eyeColor: str
    height: str
    weight: str
    notes: str
    alias: List[str]
    dateOfBirth: List[str]
    placeOfBirth: List[str]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiPersonDuplicateResult(Record):
    id: int
    name: Optional[str]
    firstName: str
    middleName: str
    lastName: str
    otherName: str
    gender: str
    hairColor: str
    race: str
    eyeColor: str
    height: str
    weight: str
    notes: str
    alias: List[str]
    dateOfBirth: List[str]
    placeOfBirth: List[str]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiPersonDeleteResult(Record):
    deleted: int

class WsabiPersonEnrollResult(Record):
    person: int
    added: Records
    leftOut: List[str]

class WsabiItemAddResult(Record):
    id: int
    person: int
    index: int
    modality: str
    submodality: str
    title: str
    sensor: str
    address: str
    pins: List[str]
    configuration: Record
    parts: Records
    notes: str
    capture: Optional[Record]
    pictures: Records
    lost: Records
    undecided: Optional[Record]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiItemShowResult(Record):
    id: int
    person: int
    index: int
    modality: str
    submodality: str
    title: str
    sensor: str
    address: str
    pins: List[str]
    configuration: Record
    parts: Records
    notes: str
    capture: Optional[Record]
    pictures: Records
    lost: Records
    undecided: Optional[Record]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiItemEditResult(Record):
    id: int
    person: int
    index: int
    modality: str
    submodality: str
    title: str
    sensor: str
    address: str
    pins: List[str]
    configuration: Record
    parts: Records
    notes: str
    capture: Optional[Record]
    pictures: Records
    lost: Records
    undecided: Optional[Record]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiItemDeleteResult(Record):
    deleted: int

class WsabiItemAnnotateResult(Record):
    id: int
    person: int
    index: int
    modality: str
    submodality: str
    title: str
    sensor: str
    address: str
    pins: List[str]
    configuration: Record
    parts: Records
    notes: str
    capture: Optional[Record]
    pictures: Records
    lost: Records
    undecided: Optional[Record]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiItemClearResult(Record):
    id: int
    person: int
    index: int
    modality: str
    submodality: str
    title: str
    sensor: str
    address: str
    pins: List[str]
    configuration: Record
    parts: Records
    notes: str
    capture: Optional[Record]
    pictures: Records
    lost: Records
    undecided: Optional[Record]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiPersonCheckResult(Record):
    person: int
    fingers: Records
    open: List[str]
    findings: Records
    unseen: List[int]
    qualities: Records

class WsabiExportResult(Record):
    person: int
    format: str
    path: str
    files: int
    captures: int
    sizeInBytes: int
    leftOut: Records

class WsabiImportResult(Record):
    person: int
    captures: int
    sizeInBytes: int
    leftOut: Records

class WsabiSensorCheckResult(Record):
    address: str
    reachable: bool
    modality: Optional[str]
    submodality: Optional[str]
    supported: Optional[bool]
    message: str
    namespace: Optional[str]
    parameters: Records
    latencyMilliseconds: Optional[float]
    problem: Optional[str]

class WsabiSensorCertificateResult(Record):
    address: str
    pin: str
    isTrusted: bool
    problem: Optional[str]
    subject: str
    issuer: str
    validFrom: str
    validUntil: str

class WsabiSensorForgetResult(Record):
    forgotten: int

class WsabiSensorRegisterResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorUnregisterResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorLockResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorUnlockResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorInitializeResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorUninitializeResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorConfigurationResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorConfigureResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorInformationResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorStatusResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorCancelResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorStealResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorCaptureResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float
    captureIds: List[str]

class WsabiSensorBeginCaptureResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorEndCaptureResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float
    captureIds: List[str]

class WsabiSensorDownloadResult(Record):
    address: str
    operation: str
    status: str
    captureId: str
    file: str
    sizeInBytes: int
    sha256: str
    claimedType: str
    sniffedType: Optional[str]
    metadata: Record
    milliseconds: float

class WsabiSensorThriftyDownloadResult(Record):
    address: str
    operation: str
    status: str
    captureId: str
    file: str
    sizeInBytes: int
    sha256: str
    claimedType: str
    sniffedType: Optional[str]
    metadata: Record
    milliseconds: float

class WsabiSensorRawDownloadResult(Record):
    address: str
    operation: str
    status: str
    captureId: str
    file: str
    sizeInBytes: int
    sha256: str
    claimedType: str
    sniffedType: Optional[str]
    metadata: Record
    milliseconds: float

class WsabiSensorDownloadInfoResult(Record):
    address: str
    operation: str
    status: str
    session: Optional[str]
    metadata: Record
    message: str
    milliseconds: float

class WsabiSensorStreamResult(Record):
    address: str
    operation: str
    pictures: int
    sizeInBytes: int
    isOver: bool
    milliseconds: float

class WsabiSensorSetupResult(Record):
    id: int
    person: int
    index: int
    modality: str
    submodality: str
    title: str
    sensor: str
    address: str
    pins: List[str]
    configuration: Record
    parts: Records
    notes: str
    capture: Optional[Record]
    pictures: Records
    lost: Records
    undecided: Optional[Record]
    created: datetime.datetime
    modified: datetime.datetime

class WsabiCaptureResult(Record):
    captured: int
    failed: int
    milliseconds: float
    steps: Records

class WsabiOperationsCancelResult(Record):
    canceled: bool

class WsabiOperationsDiscardResult(Record):
    discarded: int

class WsabiLogResult(Record):
    count: int
    isWhole: Optional[bool]
    firstBad: Optional[int]
    fault: Optional[str]
    entries: Records
    head: Optional[str]

class Plugin:
    @command
    def list(self, *, on_progress: Progress = ...) -> Table:
        """List all plugins found, including unusable ones."""
    @command
    def info(self, id: str, *, on_progress: Progress = ...) -> PluginInfoResult:
        """Show the details of a plugin."""
    @command
    def why(self, *command: Union[str, Sequence[str]], on_progress: Progress = ...) -> PluginWhyResult:
        """Show which plugin provides a command."""
    @command
    def enable(self, id: str, *, replace: Optional[str] = ..., on_progress: Progress = ...) -> PluginEnableResult:
        """Enable a plugin that is disabled or was copied by hand."""
    @command
    def disable(self, id: str, *, on_progress: Progress = ...) -> PluginDisableResult:
        """Disable a plugin."""
    @command
    def verify(self, *, on_progress: Progress = ...) -> Table:
        """Check that installed plugins are unchanged."""
    @command
    def probe(self, path: Path, *, on_progress: Progress = ...) -> PluginProbeResult:
        """Check a library and describe it in a child process."""
    @command
    def unquarantine(self, id: str, *, on_progress: Progress = ...) -> PluginUnquarantineResult:
        """Re-enable a plugin that crashed."""
    @command
    def install(self, path: Path, *, replace: Optional[str] = ..., key: Optional[str] = ..., source: Optional[str] = ..., allow_unsigned: Optional[bool] = ..., on_progress: Progress = ...) -> PluginInstallResult:
        """Install a plugin for this user."""
    @command
    def upgrade(self, id: Optional[str] = ..., *, all: Optional[bool] = ..., on_progress: Progress = ...) -> Table:
        """Upgrade plugins to the newest versions of their sources."""
    @command
    def rollback(self, id: str, *, on_progress: Progress = ...) -> PluginRollbackResult:
        """Return to the version of a plugin before the last upgrade."""
    @command
    def pin(self, id: str, *, on_progress: Progress = ...) -> PluginPinResult:
        """Keep a plugin at its version."""
    @command
    def unpin(self, id: str, *, on_progress: Progress = ...) -> PluginUnpinResult:
        """Allow upgrades of a pinned plugin again."""
    @command
    def remove(self, id: str, *, on_progress: Progress = ...) -> PluginRemoveResult:
        """Remove a plugin of this user and keep its stores."""
    @command
    def outdated(self, *, host: Optional[Path] = ..., on_progress: Progress = ...) -> Table:
        """List plugins with newer versions, or refused by another workbench."""
    @command
    def pack(self, folder: Path, *, output: Optional[Path] = ..., key: Optional[Path] = ..., on_progress: Progress = ...) -> PluginPackResult:
        """Make a package of a plugin."""
    @command
    def search(self, text: Optional[str] = ..., *, on_progress: Progress = ...) -> Table:
        """List the plugins that sources offer."""
    @command
    def source_add(self, location: str, *, key: str, on_progress: Progress = ...) -> PluginSourceAddResult:
        """Add a source of plugins."""
    @command
    def source_list(self, *, on_progress: Progress = ...) -> Table:
        """List the sources of plugins."""
    @command
    def source_remove(self, name: str, *, on_progress: Progress = ...) -> PluginSourceRemoveResult:
        """Remove a source of plugins."""
    @command
    def bisect(self, *command: Union[str, Sequence[str]], limit: Optional[int] = ..., on_progress: Progress = ...) -> PluginBisectResult:
        """Find the plugin that makes a command line fail."""
    @command
    def profile(self, id: Optional[str] = ..., *, limit: Optional[int] = ..., on_progress: Progress = ...) -> Table:
        """Measure the time and memory of plugins."""
    @command
    def doctor(self, id: Optional[str] = ..., *, on_progress: Progress = ...) -> Records:
        """Check that plugins can be loaded, and run their own checks."""
    @command
    def new(self, name: str, *, language: Optional[Literal["swift", "python", "r"]] = ..., folder: Optional[Path] = ..., on_progress: Progress = ...) -> PluginNewResult:
        """Write a new plugin with a command and tests."""
    @command
    def validate(self, path: Path, *, record: Optional[bool] = ..., on_progress: Progress = ...) -> Table:
        """Check a plugin like 'plugin install', and replay its transcripts."""

class Sdk:
    @command
    def path(self, *, on_progress: Progress = ...) -> SdkPathResult:
        """Print the folder of the plugin SDK of this installation."""

class Store:
    @command
    def list(self, *, on_progress: Progress = ...) -> Table:
        """List the stores of all plugins."""
    @command
    def check(self, *store: Union[str, Sequence[str]], on_progress: Progress = ...) -> Records:
        """Check stores for damage."""
    @command
    def backup(self, store: str, file: Optional[Path] = ..., *, on_progress: Progress = ...) -> StoreBackupResult:
        """Back up a store to a new file."""
    @command
    def restore(self, store: str, file: Path, *, on_progress: Progress = ...) -> StoreRestoreResult:
        """Replace a store with a backup."""
    @command
    def rebuild(self, store: str, *, on_progress: Progress = ...) -> Any:
        """Rebuild a damaged store from its source files."""
    @command
    def export(self, store: str, *, on_progress: Progress = ...) -> Any:
        """Print the content of a store as tables."""
    @command
    def share(self, store: str, address: str, *, on_progress: Progress = ...) -> StoreShareResult:
        """Copy a store to a PostgreSQL database and use it there."""
    @command
    def unshare(self, store: str, *, on_progress: Progress = ...) -> StoreUnshareResult:
        """Return from a shared store to the file on this machine."""

class Batch:
    @command
    def run(self, run: str, *command: Union[str, Sequence[str]], files: Optional[Union[str, Sequence[str]]] = ..., items: Optional[Path] = ..., null: Optional[bool] = ..., from_: Optional[str] = ..., sql: Optional[Path] = ..., parts: Optional[int] = ..., cost: Optional[str] = ..., probe: Optional[int] = ..., seed: Optional[int] = ..., checksums: Optional[bool] = ..., workers: Optional[int] = ..., shards: Optional[int] = ..., item_timeout: Optional[Number] = ..., item_memory: Optional[int] = ..., allow_network: Optional[bool] = ..., executor: Optional[Literal["local", "slurm"]] = ..., partition: Optional[str] = ..., time: Optional[str] = ..., memory: Optional[str] = ..., max_running: Optional[int] = ..., sbatch: Optional[Union[str, Sequence[str]]] = ..., gather: Optional[Path] = ..., max_errors: Optional[int] = ..., allow_other_version: Optional[bool] = ..., on_progress: Progress = ...) -> BatchRunResult:
        """Run a command for many items on all cores, or resume the run."""
    @command
    def submit(self, run: str, *command: Union[str, Sequence[str]], files: Optional[Union[str, Sequence[str]]] = ..., items: Optional[Path] = ..., null: Optional[bool] = ..., from_: Optional[str] = ..., sql: Optional[Path] = ..., parts: Optional[int] = ..., cost: Optional[str] = ..., probe: Optional[int] = ..., seed: Optional[int] = ..., checksums: Optional[bool] = ..., shards: Optional[int] = ..., item_timeout: Optional[Number] = ..., item_memory: Optional[int] = ..., allow_network: Optional[bool] = ..., executor: Optional[Literal["slurm"]] = ..., partition: Optional[str] = ..., time: Optional[str] = ..., memory: Optional[str] = ..., max_running: Optional[int] = ..., sbatch: Optional[Union[str, Sequence[str]]] = ..., gather: Optional[Path] = ..., follow: Optional[int] = ..., allow_other_version: Optional[bool] = ..., on_progress: Progress = ...) -> BatchSubmitResult:
        """Submit the missing items of a run as Slurm jobs."""
    @command
    def plan(self, run: str, *command: Union[str, Sequence[str]], files: Optional[Union[str, Sequence[str]]] = ..., items: Optional[Path] = ..., null: Optional[bool] = ..., from_: Optional[str] = ..., sql: Optional[Path] = ..., parts: Optional[int] = ..., cost: Optional[str] = ..., probe: Optional[int] = ..., seed: Optional[int] = ..., checksums: Optional[bool] = ..., workers: Optional[int] = ..., shards: Optional[int] = ..., item_timeout: Optional[Number] = ..., item_memory: Optional[int] = ..., allow_network: Optional[bool] = ..., executor: Optional[Literal["local", "slurm"]] = ..., time: Optional[str] = ..., max_running: Optional[int] = ..., on_progress: Progress = ...) -> BatchPlanResult:
        """Plan a run without starting it."""
    @command
    def work(self, run: str, *, shard: int, allow_other_version: Optional[bool] = ..., on_progress: Progress = ...) -> BatchWorkResult:
        """Run the items of one shard, for a scheduler."""
    @command
    def status(self, run: str, *, watch: Optional[bool] = ..., on_progress: Progress = ...) -> BatchStatusResult:
        """Show the progress of a run."""
    @command
    def errors(self, run: str, *, code: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the items of a run that ended in an error."""
    @command
    def retry(self, run: str, *, code: Optional[str] = ..., item: Optional[Union[int, Sequence[int]]] = ..., missing: Optional[bool] = ..., workers: Optional[int] = ..., executor: Optional[Literal["local", "slurm"]] = ..., partition: Optional[str] = ..., time: Optional[str] = ..., memory: Optional[str] = ..., max_running: Optional[int] = ..., sbatch: Optional[Union[str, Sequence[str]]] = ..., gather: Optional[Path] = ..., max_errors: Optional[int] = ..., allow_other_version: Optional[bool] = ..., on_progress: Progress = ...) -> BatchRetryResult:
        """Run failed or chosen items again."""
    @command
    def cancel(self, run: str, *, on_progress: Progress = ...) -> BatchCancelResult:
        """Stop the workers of a run after their current items."""
    @command
    def verify(self, run: str, *, sample: Optional[int] = ..., on_progress: Progress = ...) -> BatchVerifyResult:
        """Check that a run is complete, and run a sample of it again."""
    @command
    def script(self, run: str, *, engine: Literal["slurm", "snakemake", "parallel", "nextflow", "cwl"], time: Optional[str] = ..., on_progress: Progress = ...) -> str:
        """Write a recipe that runs the shards of a run with a workflow engine."""
    @command
    def list(self, *, on_progress: Progress = ...) -> Table:
        """List your runs."""
    @command
    def remove(self, run: str, *, on_progress: Progress = ...) -> BatchRemoveResult:
        """Delete a run with its results."""

class Config:
    @command
    def get(self, setting: str, *, on_progress: Progress = ...) -> Any:
        """Print the value of a setting."""
    @command
    def set(self, setting: str, *value: Union[str, Sequence[str]], on_progress: Progress = ...) -> Any:
        """Set the value of a setting."""
    @command
    def unset(self, setting: str, *, on_progress: Progress = ...) -> Any:
        """Restore the default value of a setting."""
    @command
    def list(self, *, on_progress: Progress = ...) -> Table:
        """List all settings with their values and sources."""
    @command
    def explain(self, setting: str, *, on_progress: Progress = ...) -> ConfigExplainResult:
        """Explain a setting and the sources of its value."""

class Molecules:
    @command
    def list(self, *, match: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the molecules in the library."""
    @command
    def import_(self, *file: Union[Path, Sequence[Path]], on_progress: Progress = ...) -> Records:
        """Import structure files into the library."""
    @command
    def delete(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> MoleculesDeleteResult:
        """Delete a molecule and its original file from the library."""
    @command
    def open(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> MoleculesOpenResult:
        """Choose the molecule that the viewer shows next."""
    @command
    def rebuild_library(self, *, on_progress: Progress = ...) -> MoleculesRebuildLibraryResult:
        """Rebuild a damaged library from the original files."""
    @command
    def info(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> MoleculesInfoResult:
        """Show the metadata and counts of a molecule."""
    @command
    def render(self, molecule: Union[Path, int], *, mode: Optional[Literal["ball-and-stick", "spacefilling", "cylinders", "sticks", "backbone", "cartoon", "surface"]] = ..., color: Optional[Literal["element", "residue", "chain", "entity", "secondary-structure", "b-factor", "plddt", "occupancy", "rainbow"]] = ..., label: Optional[Literal["none", "chains", "residues", "atoms"]] = ..., legend: Optional[bool] = ..., rotate: Optional[Union[str, Sequence[float]]] = ..., zoom: Optional[Number] = ..., model: Optional[str] = ..., assembly: Optional[str] = ..., occlusion: Optional[Literal["on", "off"]] = ..., outline: Optional[Literal["on", "off"]] = ..., fog: Optional[Literal["on", "off"]] = ..., quality: Optional[Literal["normal", "best"]] = ..., background: Optional[Literal["black", "white", "none"]] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., size: Size = ..., on_progress: Progress = ...) -> Picture:
        """Draw a molecule of the library or a file."""
    @command
    def animate(self, molecule: Union[Path, int], *, frames: Optional[int] = ..., spin: Optional[Number] = ..., mode: Optional[Literal["ball-and-stick", "spacefilling", "cylinders", "sticks", "backbone", "cartoon", "surface"]] = ..., color: Optional[Literal["element", "residue", "chain", "entity", "secondary-structure", "b-factor", "plddt", "occupancy", "rainbow"]] = ..., label: Optional[Literal["none", "chains", "residues", "atoms"]] = ..., legend: Optional[bool] = ..., rotate: Optional[Union[str, Sequence[float]]] = ..., zoom: Optional[Number] = ..., model: Optional[str] = ..., assembly: Optional[str] = ..., occlusion: Optional[Literal["on", "off"]] = ..., outline: Optional[Literal["on", "off"]] = ..., fog: Optional[Literal["on", "off"]] = ..., quality: Optional[Literal["normal", "best"]] = ..., background: Optional[Literal["black", "white", "none"]] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., size: Size = ..., on_progress: Progress = ...) -> List[Picture]:
        """Draw an animation of a rotating molecule."""
    @command
    def bonds(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the bonds of a molecule."""
    @command
    def chains(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the chains of a molecule."""
    @command
    def atoms(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the atoms of a molecule."""
    @command
    def sequence(self, molecule: Union[Path, int], *, select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """Show the sequences of a molecule's chains."""
    @command
    def select(self, molecule: Union[Path, int], selection: str, *, model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesSelectResult:
        """Show the atoms of a selection."""
    @command
    def measure_distance(self, molecule: Union[Path, int], first: str, second: str, *, nearest: Optional[bool] = ..., model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesMeasureDistanceResult:
        """Measure the distance between two atoms or parts of a molecule."""
    @command
    def measure_angle(self, molecule: Union[Path, int], first: str, second: str, third: str, *, model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesMeasureAngleResult:
        """Measure the angle at the second of three atoms or parts."""
    @command
    def measure_dihedral(self, molecule: Union[Path, int], first: str, second: str, third: str, fourth: str, *, model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesMeasureDihedralResult:
        """Measure the dihedral angle of four atoms or parts."""
    @command
    def measure_phi_psi(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the backbone angles phi, psi and omega of proteins."""
    @command
    def measure_torsions(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the named torsions of proteins and nucleic acids."""
    @command
    def superpose(self, molecule: Union[Path, int], onto: Optional[Union[Path, int]] = ..., *, select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., chain: Optional[str] = ..., pair: Optional[Literal["sequence", "number"]] = ..., atoms: Optional[Literal["trace", "backbone", "all"]] = ..., cycles: Optional[int] = ..., cutoff: Optional[Number] = ..., model: Optional[int] = ..., onto_model: Optional[int] = ..., models: Optional[bool] = ..., on_progress: Progress = ...) -> MoleculesSuperposeResult:
        """Superpose one molecule on another and show the RMSD."""
    @command
    def scan(self, *molecule: Union[Union[Path, int], Sequence[Union[Path, int]]], select: Optional[str] = ..., site: Optional[Union[str, Sequence[str]]] = ..., distance: Optional[Union[str, Sequence[str]]] = ..., like: Optional[str] = ..., tolerance: Optional[Number] = ..., limit: Optional[int] = ..., model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Records:
        """Search structures for residues or geometric motifs."""
    @command
    def secondary_structure(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesSecondaryStructureResult:
        """Assign helices, strands and turns by the DSSP method."""
    @command
    def assemblies(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> Table:
        """List the biological assemblies of a molecule."""
    @command
    def symmetry(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> Table:
        """List the symmetry operators of a molecule's crystal."""
    @command
    def surface_area(self, molecule: Union[Path, int], *, probe: Optional[Number] = ..., points: Optional[int] = ..., model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """Measure the solvent-accessible surface of each residue."""
    @command
    def contacts(self, molecule: Union[Path, int], *, within: Optional[Number] = ..., water: Optional[bool] = ..., between_chains: Optional[bool] = ..., model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List residues that touch."""
    @command
    def hydrogen_bonds(self, molecule: Union[Path, int], *, water: Optional[bool] = ..., model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List hydrogen bonds between residues."""
    @command
    def salt_bridges(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List salt bridges between side chains."""
    @command
    def disulfides(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the disulfide bonds of cysteines."""
    @command
    def search(self, text: str, *, service: Optional[Literal["rcsb", "soap", "text", "pubchem", "alphafold"]] = ..., rows: Optional[int] = ..., on_progress: Progress = ...) -> Table:
        """Search databases for molecules."""
    @command
    def fetch(self, code: Optional[str] = ..., *, url: Optional[str] = ..., service: Optional[Literal["rcsb", "soap", "text", "pubchem", "alphafold"]] = ..., format: Optional[Literal["mmcif", "pdb"]] = ..., force: Optional[bool] = ..., on_progress: Progress = ...) -> Records:
        """Download a molecule into the library."""
    @command
    def page(self, code: Optional[str] = ..., *, service: Optional[Literal["rcsb", "soap", "text", "pubchem", "alphafold"]] = ..., read: Optional[bool] = ..., url: Optional[str] = ..., open: Optional[bool] = ..., on_progress: Progress = ...) -> MoleculesPageResult:
        """Show the description or web page of a molecule at a service."""
    @command
    def export(self, *molecule: Union[Union[Path, int], Sequence[Union[Path, int]]], format: Optional[Literal["pdb", "mmcif", "xyz", "sql-1.2"]] = ..., output: Optional[Path] = ..., model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesExportResult:
        """Export molecules to a file in another format."""
    @command
    def session_save(self, file: Path, *molecule: Union[Union[Path, int], Sequence[Union[Path, int]]], mode: Optional[Literal["ball-and-stick", "spacefilling", "cylinders", "sticks", "backbone", "cartoon", "surface"]] = ..., scheme: Optional[Literal["element", "residue", "chain", "entity", "secondary-structure", "b-factor", "plddt", "occupancy", "rainbow"]] = ..., model: Optional[int] = ..., on_progress: Progress = ...) -> MoleculesSessionSaveResult:
        """Save molecules and the way they are drawn to a session file."""
    @command
    def session_open(self, file: Path, *, on_progress: Progress = ...) -> MoleculesSessionOpenResult:
        """Choose the session that the viewer shows next."""

class Openbis:
    @command
    def login(self, url: str, *, user: Optional[str] = ..., password_stdin: Optional[bool] = ..., token_file: Optional[Path] = ..., forget_password: Optional[bool] = ..., new_token: Optional[str] = ..., days: Optional[int] = ..., native: Optional[bool] = ..., data_store: Optional[str] = ..., trust: Optional[str] = ..., insecure: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisLoginResult:
        """Log in to a server and store the session."""
    @command
    def logout(self, *, account: Optional[str] = ..., forget: Optional[bool] = ..., on_progress: Progress = ...) -> List[str]:
        """End the session and delete the stored token and password."""
    @command
    def servers(self, *, use: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the known servers and users."""
    @command
    def token_list(self, *, account: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List your personal access tokens."""
    @command
    def token_revoke(self, token: str, *, account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisTokenRevokeResult:
        """Revoke a personal access token."""
    @command
    def secrets_status(self, *, on_progress: Progress = ...) -> OpenbisSecretsStatusResult:
        """Show whether stored tokens and passwords are encrypted."""
    @command
    def secrets_encrypt(self, *, new_key_file: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisSecretsEncryptResult:
        """Encrypt stored tokens and passwords."""
    @command
    def secrets_unlock(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisSecretsUnlockResult:
        """Keep the key in memory for later commands."""
    @command
    def secrets_lock(self, *, on_progress: Progress = ...) -> OpenbisSecretsLockResult:
        """Remove the key that 'secrets unlock' keeps in memory."""
    @command
    def secrets_change_key(self, *, new_key_file: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisSecretsChangeKeyResult:
        """Replace the passphrase or key file."""
    @command
    def secrets_decrypt(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., forget: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisSecretsDecryptResult:
        """Decrypt stored tokens and passwords."""
    @command
    def sync(self, *, full: Optional[bool] = ..., if_due: Optional[bool] = ..., no_index: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisSyncResult:
        """Download changes from the server into the cache."""
    @command
    def categories(self, *, account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """List the categories of the first screen."""
    @command
    def roots(self, category: Optional[str] = ..., *, offset: Optional[int] = ..., limit: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """List the top entities, of all categories or of one."""
    @command
    def entities(self, *, limit: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the ids of cached entities."""
    @command
    def data_sets(self, *, limit: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the codes of cached data sets."""
    @command
    def drill(self, perm_id: str, *, offset: Optional[int] = ..., limit: Optional[int] = ..., cached: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """List the children of an entity."""
    @command
    def detail(self, perm_id: str, *, cached: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisDetailResult:
        """Show the details of an entity."""
    @command
    def tree(self, perm_id: str, *, depth: Optional[int] = ..., parents: Optional[bool] = ..., rows: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """Show the entities below an entity as a tree."""
    @command
    def export(self, perm_id: str, *, format: Optional[Literal["json", "csv", "html"]] = ..., output: Optional[Path] = ..., depth: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Any:
        """Export an entity and all cached entities below it."""
    @command
    def search(self, text: str, *, remote: Optional[bool] = ..., domain: Optional[str] = ..., anywhere: Optional[bool] = ..., under: Optional[str] = ..., limit: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """Find entities by words or substrings."""
    @command
    def image(self, perm_id: str, *, number: Optional[int] = ..., save: Optional[Path] = ..., cached: Optional[bool] = ..., known_details: Optional[bool] = ..., account: Optional[str] = ..., size: Size = ..., on_progress: Progress = ...) -> Picture:
        """Show an image of an entity."""
    @command
    def files(self, data_set: str, *, folders: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the files of a data set."""
    @command
    def download(self, data_set: str, path: Optional[str] = ..., *, all: Optional[bool] = ..., match: Optional[str] = ..., output: Optional[Path] = ..., overwrite: Optional[bool] = ..., anew: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisDownloadResult:
        """Download a file of a data set, or all of its files."""
    @command
    def preview(self, data_set: str, path: str, *, account: Optional[str] = ..., on_progress: Progress = ...) -> Any:
        """Show an image, table or text file of a data set."""
    @command
    def mapping_show(self, *, default: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Any:
        """Print the mapping in use."""
    @command
    def mapping_check(self, file: Path, *, on_progress: Progress = ...) -> OpenbisMappingCheckResult:
        """Check a mapping file for errors."""
    @command
    def mapping_use(self, file: Path, *, account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisMappingUseResult:
        """Use a mapping file for a server."""
    @command
    def simulate(self, *, shape: Optional[Literal["demo", "yeastlab", "plain", "tag-browser"]] = ..., entities: Optional[int] = ..., import_size: Optional[int] = ..., categories: Optional[int] = ..., dialect: Optional[Literal["final", "mid", "seed", "pre-category"]] = ..., port: Optional[int] = ..., tls: Optional[Literal["off", "on", "expired", "wrong-host"]] = ..., seed: Optional[int] = ..., user: Optional[Union[str, Sequence[str]]] = ..., fault: Optional[Union[str, Sequence[str]]] = ..., session_calls: Optional[int] = ..., session_seconds: Optional[int] = ..., changes: Optional[Number] = ..., on_progress: Progress = ...) -> List[str]:
        """Run a simulated openBIS server until interrupted."""

class Pathcase:
    @command
    def list(self, *, filter: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the pathways of the database and imported networks."""
    @command
    def metabolites(self, *, filter: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the metabolites of the database."""
    @command
    def processes(self, *, filter: Optional[str] = ..., pathway: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the processes of the database or of a pathway."""
    @command
    def compartments(self, *, filter: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the compartments of the database."""
    @command
    def tissues(self, *, filter: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the organs and body fluids of the database."""
    @command
    def info(self, network: Union[Path, int], *, on_progress: Progress = ...) -> Record:
        """Show the contents of a pathway or file."""
    @command
    def show(self, network: Union[Path, int], *, zoom: Optional[Literal["overview", "names", "full"]] = ..., ascii: Optional[bool] = ..., width: Optional[int] = ..., common: Optional[Literal["hidden", "beside", "as-others"]] = ..., on_progress: Progress = ...) -> str:
        """Draw a pathway or file as text."""
    @command
    def layout(self, network: Union[Path, int], *, common: Optional[Literal["hidden", "beside", "as-others"]] = ..., on_progress: Progress = ...) -> PathcaseLayoutResult:
        """Compute the layout of a pathway or file."""
    @command
    def draw(self, network: Union[Path, int], *, output: Optional[Path] = ..., format: Optional[Literal["svg", "pdf", "png"]] = ..., theme: Optional[Literal["light", "print", "dark"]] = ..., width: Optional[int] = ..., labels: Optional[Literal["auto", "names", "ids"]] = ..., hide_common: Optional[bool] = ..., overlay: Optional[Path] = ..., no_title: Optional[bool] = ..., on_progress: Progress = ...) -> Any:
        """Draw a pathway or file as a picture: SVG, PDF or PNG."""
    @command
    def import_(self, *file: Union[Union[Path, int], Sequence[Union[Path, int]]], id: Optional[str] = ..., replace: Optional[bool] = ..., on_progress: Progress = ...) -> Table:
        """Store the network of a file, to use it by its id."""
    @command
    def imports(self, *, on_progress: Progress = ...) -> Table:
        """List imported networks."""
    @command
    def export(self, network: Union[Path, int], *, format: Optional[Literal["sbml", "sbgn", "escher", "kgml", "dot", "svg", "json", "cobra"]] = ..., output: Optional[Path] = ..., on_progress: Progress = ...) -> Any:
        """Write a pathway or file in another format."""
    @command
    def forget(self, *id: Union[str, Sequence[str]], on_progress: Progress = ...) -> PathcaseForgetResult:
        """Remove imported networks."""
    @command
    def neighbors(self, name: str, *, in_: Optional[Union[Path, int]] = ..., on_progress: Progress = ...) -> Table:
        """List the neighbors of a metabolite pool or process."""
    @command
    def path(self, from_: str, to: str, *, in_: Optional[Union[Path, int]] = ..., common: Optional[bool] = ..., on_progress: Progress = ...) -> Table:
        """Find a path from one metabolite or process to another."""
    @command
    def smda(self, network: Union[Path, int], *, closed: Optional[bool] = ..., observations: Optional[Path] = ..., rules: Optional[Path] = ..., labels: Optional[int] = ..., mode: Optional[Literal["necessary", "strict", "realizable"]] = ..., page: Optional[int] = ..., page_size: Optional[int] = ..., sample: Optional[int] = ..., seed: Optional[int] = ..., marginals: Optional[bool] = ..., active: Optional[Union[str, Sequence[str]]] = ..., forward: Optional[Union[str, Sequence[str]]] = ..., backward: Optional[Union[str, Sequence[str]]] = ..., idle: Optional[Union[str, Sequence[str]]] = ..., pathway_on: Optional[Union[str, Sequence[str]]] = ..., pathway_off: Optional[Union[str, Sequence[str]]] = ..., at_most: Optional[int] = ..., simplest: Optional[bool] = ..., on_progress: Progress = ...) -> PathcaseSmdaResult:
        """Count and list the scenarios that fit the observations."""
    @command
    def rules(self, *, rules: Optional[Path] = ..., on_progress: Progress = ...) -> PathcaseRulesResult:
        """Show the rules of scenario analysis, as a file to edit."""
    @command
    def fba(self, network: Union[Path, int], *, maximize: Optional[str] = ..., minimize: Optional[str] = ..., on_progress: Progress = ...) -> PathcaseFbaResult:
        """Find the optimal steady-state fluxes of a model."""
    @command
    def pfba(self, network: Union[Path, int], *, maximize: Optional[str] = ..., minimize: Optional[str] = ..., on_progress: Progress = ...) -> PathcasePfbaResult:
        """Find the optimal fluxes with the smallest total."""
    @command
    def fva(self, network: Union[Path, int], *, maximize: Optional[str] = ..., minimize: Optional[str] = ..., fraction: Optional[Number] = ..., part: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """Find the smallest and largest flux of each reaction."""
    @command
    def blocked(self, network: Union[Path, int], *, tolerance: Optional[Number] = ..., on_progress: Progress = ...) -> Table:
        """List the reactions that cannot have a flux at steady state."""
    @command
    def deletions(self, network: Union[Path, int], *, maximize: Optional[str] = ..., minimize: Optional[str] = ..., genes: Optional[bool] = ..., pairs: Optional[bool] = ..., synthetic_lethal: Optional[bool] = ..., part: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """Compute the optimum without each reaction, gene or pair of them."""
    @command
    def modes(self, network: Union[Path, int], *, limit: Optional[int] = ..., seconds: Optional[int] = ..., closed: Optional[bool] = ..., stop: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> PathcaseModesResult:
        """Find all elementary modes of a network."""
    @command
    def update(self, *, server: Optional[str] = ..., only: Optional[Literal["tissues", "compartments", "metabolites", "pools", "processes", "pathways", "smdapathways", "ranges", "layout"]] = ..., on_progress: Progress = ...) -> Table:
        """Download changes to the database."""
    @command
    def rollback(self, *, on_progress: Progress = ...) -> PathcaseRollbackResult:
        """Return to the database before the last update."""
    @command
    def validate(self, file: Union[Path, int], *, on_progress: Progress = ...) -> Table:
        """Check a file for problems."""
    @command
    def freeze(self, pathway: str, *, remove: Optional[bool] = ..., anew: Optional[bool] = ..., common: Optional[Literal["hidden", "as-others"]] = ..., on_progress: Progress = ...) -> PathcaseFreezeResult:
        """Keep the layout of a pathway as your own."""
    @command
    def simulate(self, *, port: Optional[int] = ..., fault: Optional[Union[str, Sequence[str]]] = ..., envelope: Optional[Literal["bare", "soap", "soap-text", "asmx", "gzip"]] = ..., changed: Optional[int] = ..., changes: Optional[Number] = ..., latency: Optional[int] = ..., delay: Optional[int] = ..., certificate: Optional[Path] = ..., key: Optional[Path] = ..., on_progress: Progress = ...) -> List[str]:
        """Serve the bundled database on this machine until interrupted."""

class Wsabi:
    @command
    def store_init(self, *, new_key_file: Optional[Path] = ..., user: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreInitResult:
        """Create the store of people and captures."""
    @command
    def store_status(self, *, on_progress: Progress = ...) -> WsabiStoreStatusResult:
        """Show where the store is and whether it is open."""
    @command
    def store_unlock(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreUnlockResult:
        """Open the store for the commands that follow."""
    @command
    def store_lock(self, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiStoreLockResult:
        """Close the store."""
    @command
    def store_change_key(self, *, new_key_file: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreChangeKeyResult:
        """Replace your passphrase or key file."""
    @command
    def store_change_master_key(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreChangeMasterKeyResult:
        """Replace the master key of all records."""
    @command
    def store_check(self, *, data: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiStoreCheckResult:
        """Check the store for damage."""
    @command
    def store_purge(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStorePurgeResult:
        """Compact the store after deletions."""
    @command
    def store_restore(self, file: Path, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreRestoreResult:
        """Replace the records of the store with those of a backup."""
    @command
    def role(self, name: Optional[str] = ..., role: Optional[Literal["operator", "reviewer", "admin"]] = ..., *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> Records:
        """List users with their roles, or change a role."""
    @command
    def store_add_user(self, name: str, role: Literal["operator", "reviewer", "admin"], *, new_key_file: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> Records:
        """Add a user with their own key."""
    @command
    def store_remove_user(self, name: str, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> Records:
        """Remove a user from the store."""
    @command
    def person_add(self, *, first_name: Optional[str] = ..., middle_name: Optional[str] = ..., last_name: Optional[str] = ..., other_name: Optional[str] = ..., gender: Optional[str] = ..., hair_color: Optional[str] = ..., race: Optional[str] = ..., eye_color: Optional[str] = ..., height: Optional[str] = ..., weight: Optional[str] = ..., notes: Optional[str] = ..., alias: Optional[Union[str, Sequence[str]]] = ..., date_of_birth: Optional[Union[str, Sequence[str]]] = ..., place_of_birth: Optional[Union[str, Sequence[str]]] = ..., from_: Optional[str] = ..., ask: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonAddResult:
        """Add a person."""
    @command
    def person_list(self, *, find: Optional[str] = ..., from_: Optional[int] = ..., limit: Optional[int] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List people, oldest first."""
    @command
    def person_show(self, person: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonShowResult:
        """Show a person with all items."""
    @command
    def person_edit(self, person: int, *, first_name: Optional[str] = ..., middle_name: Optional[str] = ..., last_name: Optional[str] = ..., other_name: Optional[str] = ..., gender: Optional[str] = ..., hair_color: Optional[str] = ..., race: Optional[str] = ..., eye_color: Optional[str] = ..., height: Optional[str] = ..., weight: Optional[str] = ..., notes: Optional[str] = ..., alias: Optional[Union[str, Sequence[str]]] = ..., date_of_birth: Optional[Union[str, Sequence[str]]] = ..., place_of_birth: Optional[Union[str, Sequence[str]]] = ..., from_: Optional[str] = ..., ask: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonEditResult:
        """Edit the biography of a person."""
    @command
    def person_duplicate(self, person: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonDuplicateResult:
        """Add a person with the same items and sensors."""
    @command
    def person_delete(self, person: int, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiPersonDeleteResult:
        """Delete a person with all captures permanently."""
    @command
    def person_enroll(self, person: int, *, template: Optional[Literal["full", "fingers", "rolled", "slaps", "face", "irises"]] = ..., sensor: Optional[Union[str, Sequence[str]]] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonEnrollResult:
        """Add the items of a template to a person."""
    @command
    def item_types(self, *, on_progress: Progress = ...) -> Records:
        """List all submodalities."""
    @command
    def item_add(self, person: int, *, modality: Optional[str] = ..., submodality: Optional[str] = ..., sensor: Optional[str] = ..., sensor_name: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiItemAddResult:
        """Add an item to capture, with its sensor."""
    @command
    def item_list(self, person: Optional[int] = ..., *, missing: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List the items of one person or of all people."""
    @command
    def item_show(self, item: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiItemShowResult:
        """Show an item with its newest capture."""
    @command
    def item_edit(self, item: int, *, modality: Optional[str] = ..., submodality: Optional[str] = ..., sensor: Optional[str] = ..., sensor_name: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., yes: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiItemEditResult:
        """Change what is captured, the sensor or its settings."""
    @command
    def item_delete(self, item: int, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiItemDeleteResult:
        """Delete an item with all captures permanently."""
    @command
    def item_captures(self, item: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List all captures of an item, newest first."""
    @command
    def item_annotate(self, item: int, *, part: Optional[Union[str, Sequence[str]]] = ..., notes: Optional[str] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiItemAnnotateResult:
        """Annotate parts of the body, or add notes."""
    @command
    def item_clear(self, item: int, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiItemClearResult:
        """Delete all captures of an item permanently."""
    @command
    def person_check(self, person: int, *, score: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiPersonCheckResult:
        """Check for fingers that are missing, captured twice or mixed up."""
    @command
    def export(self, person: int, *, format: Optional[Literal["json", "zip", "an2k", "ebts"]] = ..., output: Optional[Path] = ..., to: Optional[Path] = ..., origin: Optional[str] = ..., destination: Optional[str] = ..., control_number: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiExportResult:
        """Export a person with all items and captures."""
    @command
    def import_(self, path: Path, *, allow_known_data: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiImportResult:
        """Import a person from an export."""
    @command
    def sensor_check(self, uri: str, *, modality: Optional[str] = ..., submodality: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorCheckResult:
        """Show what a sensor is and what it can capture."""
    @command
    def sensor_certificate(self, uri: str, *, authorities: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorCertificateResult:
        """Show the certificate of a sensor and the pin of its key."""
    @command
    def sensor_list(self, *, modality: Optional[str] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List recently used sensors."""
    @command
    def sensor_forget(self, sensor: str, *, modality: Optional[str] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiSensorForgetResult:
        """Remove a sensor from the recent sensors."""
    @command
    def sensor_discover(self, *, seconds: Optional[int] = ..., count: Optional[int] = ..., interface: Optional[str] = ..., port: Optional[int] = ..., on_progress: Progress = ...) -> Records:
        """Find sensors on the local network, and cameras of this machine."""
    @command
    def sensor_register(self, uri: str, *, pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorRegisterResult:
        """Begin a session at a sensor."""
    @command
    def sensor_unregister(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorUnregisterResult:
        """End a session and release its lock."""
    @command
    def sensor_lock(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorLockResult:
        """Lock a sensor."""
    @command
    def sensor_unlock(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorUnlockResult:
        """Release the lock of a sensor."""
    @command
    def sensor_initialize(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorInitializeResult:
        """Initialize a sensor for captures."""
    @command
    def sensor_uninitialize(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorUninitializeResult:
        """Uninitialize a sensor."""
    @command
    def sensor_configuration(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorConfigurationResult:
        """Show the configuration of a sensor."""
    @command
    def sensor_configure(self, uri: str, *, session: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorConfigureResult:
        """Configure a sensor."""
    @command
    def sensor_information(self, uri: str, *, pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorInformationResult:
        """Show the service information of a sensor."""
    @command
    def sensor_status(self, uri: str, *, pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorStatusResult:
        """Show the status of a sensor."""
    @command
    def sensor_cancel(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorCancelResult:
        """Cancel the operation of a session at a sensor."""
    @command
    def sensor_steal(self, uri: str, *, session: Optional[str] = ..., cancel: Optional[bool] = ..., yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorStealResult:
        """Steal the lock of a sensor from another client."""
    @command
    def sensor_capture(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorCaptureResult:
        """Capture with a sensor and show the capture ids."""
    @command
    def sensor_begin_capture(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorBeginCaptureResult:
        """Begin a capture with a sensor without waiting for its end."""
    @command
    def sensor_end_capture(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorEndCaptureResult:
        """Wait for the end of a capture and show the capture ids."""
    @command
    def sensor_download(self, uri: str, capture: str, *, output: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorDownloadResult:
        """Download captured data to a file."""
    @command
    def sensor_thrifty_download(self, uri: str, capture: str, *, output: Optional[Path] = ..., max_size: Optional[int] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorThriftyDownloadResult:
        """Download a smaller version of captured data."""
    @command
    def sensor_raw_download(self, uri: str, capture: str, *, output: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorRawDownloadResult:
        """Download captured data without the XML around it."""
    @command
    def sensor_download_info(self, uri: str, capture: str, *, pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorDownloadInfoResult:
        """Show the metadata of captured data."""
    @command
    def sensor_stream(self, uri: str, name: str, *, session: Optional[str] = ..., frames: Optional[int] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorStreamResult:
        """Read a stream of a sensor and count its pictures."""
    @command
    def sensor_setup(self, *, person: Optional[int] = ..., item: Optional[int] = ..., modality: Optional[str] = ..., submodality: Optional[str] = ..., sensor: Optional[str] = ..., sensor_name: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., discover: Optional[bool] = ..., anyway: Optional[bool] = ..., yes: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiSensorSetupResult:
        """Set up an item and its sensor step by step."""
    @command
    def capture(self, item: Optional[int] = ..., *, person: Optional[int] = ..., all: Optional[bool] = ..., missing: Optional[bool] = ..., again: Optional[bool] = ..., retries: Optional[int] = ..., minimum_quality: Optional[int] = ..., in_turn: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiCaptureResult:
        """Capture an item or all items of a person."""
    @command
    def preview(self, uri: str, *, frames: Optional[int] = ..., seconds: Optional[int] = ..., session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., size: Size = ..., on_progress: Progress = ...) -> List[Picture]:
        """Show the live preview of a sensor."""
    @command
    def operations(self, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List captures that are under way or left by earlier runs."""
    @command
    def operations_resume(self, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """Finish captures of earlier runs: download data, release locks."""
    @command
    def operations_cancel(self, number: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiOperationsCancelResult:
        """Cancel a capture under way, in any process."""
    @command
    def operations_discard(self, number: int, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiOperationsDiscardResult:
        """Give up data that cannot be downloaded."""
    @command
    def log(self, *, verify: Optional[bool] = ..., head: Optional[bool] = ..., noted: Optional[str] = ..., from_: Optional[int] = ..., limit: Optional[int] = ..., person: Optional[int] = ..., item: Optional[int] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiLogResult:
        """Show the audit log, or verify it."""
    @command
    def interactions(self, *, limit: Optional[int] = ..., on_progress: Progress = ...) -> Records:
        """Show actions of users at this station."""
    @command
    def simulate(self, *, port: Optional[int] = ..., admin_port: Optional[int] = ..., sensors: Optional[int] = ..., certificate: Optional[Path] = ..., key: Optional[Path] = ..., client_authorities: Optional[Path] = ..., announce: Optional[bool] = ..., announce_port: Optional[int] = ..., own_ports: Optional[bool] = ..., namespace: Optional[Literal["pre-release", "nist", "biometrics", "bioserv"]] = ..., style: Optional[Literal["wcf", "jaxb"]] = ..., manner: Optional[Literal["dotnet", "java"]] = ..., fault: Optional[Union[str, Sequence[str]]] = ..., seed: Optional[int] = ..., session_seconds: Optional[int] = ..., max_sessions: Optional[int] = ..., steal_after: Optional[int] = ..., needs_configuration: Optional[bool] = ..., locked_preview: Optional[bool] = ..., modality: Optional[Union[Literal["finger", "face", "iris", "ear", "vein", "retina", "foot", "other"], Sequence[Literal["finger", "face", "iris", "ear", "vein", "retina", "foot", "other"]]]] = ..., pictures: Optional[Literal["synthetic", "quick"]] = ..., content_type: Optional[Literal["image/bmp", "image/png"]] = ..., capture_size: Optional[int] = ..., person: Optional[int] = ..., captures: Optional[int] = ..., segments: Optional[bool] = ..., capture_delay: Optional[int] = ..., post_processing: Optional[int] = ..., storage: Optional[int] = ..., on_progress: Progress = ...) -> List[str]:
        """Serve simulated sensors on this machine until interrupted."""
    @command
    def camera(self, *, list: Optional[bool] = ..., on_progress: Progress = ...) -> List[str]:
        """Serve the cameras of this machine as sensors until interrupted."""

class Commands:
    @command
    def tour(self, *, on_progress: Progress = ...) -> Records:
        """Show the first steps with Workbench."""
    plugin: Plugin
    sdk: Sdk
    store: Store
    batch: Batch
    config: Config
    @command
    def doctor(self, *, on_progress: Progress = ...) -> Records:
        """Check the terminal, folders, settings, libraries and plugins."""
    @command
    def bugreport(self, *, output: Optional[Path] = ..., log_lines: Optional[int] = ..., on_progress: Progress = ...) -> BugreportResult:
        """Collect facts for a bug report, without secrets and personal data."""
    @command
    def completion(self, shell: Literal["bash", "zsh", "fish", "nu"], *, on_progress: Progress = ...) -> str:
        """Print the completion script of a shell."""
    @command
    def man(self, *command: Union[str, Sequence[str]], all: Optional[Path] = ..., on_progress: Progress = ...) -> str:
        """Print a manual page in roff format."""
    @command
    def help(self, *topic: Union[str, Sequence[str]], on_progress: Progress = ...) -> Any:
        """Explain commands, plugins and topics."""
    @command
    def version(self, *, on_progress: Progress = ...) -> VersionResult:
        """Print the versions of the program and the plugin contract."""
    molecules: Molecules
    openbis: Openbis
    pathcase: Pathcase
    wsabi: Wsabi

class AsyncPlugin:
    @async_command
    def list(self, *, on_progress: Progress = ...) -> Table:
        """List all plugins found, including unusable ones."""
    @async_command
    def info(self, id: str, *, on_progress: Progress = ...) -> PluginInfoResult:
        """Show the details of a plugin."""
    @async_command
    def why(self, *command: Union[str, Sequence[str]], on_progress: Progress = ...) -> PluginWhyResult:
        """Show which plugin provides a command."""
    @async_command
    def enable(self, id: str, *, replace: Optional[str] = ..., on_progress: Progress = ...) -> PluginEnableResult:
        """Enable a plugin that is disabled or was copied by hand."""
    @async_command
    def disable(self, id: str, *, on_progress: Progress = ...) -> PluginDisableResult:
        """Disable a plugin."""
    @async_command
    def verify(self, *, on_progress: Progress = ...) -> Table:
        """Check that installed plugins are unchanged."""
    @async_command
    def probe(self, path: Path, *, on_progress: Progress = ...) -> PluginProbeResult:
        """Check a library and describe it in a child process."""
    @async_command
    def unquarantine(self, id: str, *, on_progress: Progress = ...) -> PluginUnquarantineResult:
        """Re-enable a plugin that crashed."""
    @async_command
    def install(self, path: Path, *, replace: Optional[str] = ..., key: Optional[str] = ..., source: Optional[str] = ..., allow_unsigned: Optional[bool] = ..., on_progress: Progress = ...) -> PluginInstallResult:
        """Install a plugin for this user."""
    @async_command
    def upgrade(self, id: Optional[str] = ..., *, all: Optional[bool] = ..., on_progress: Progress = ...) -> Table:
        """Upgrade plugins to the newest versions of their sources."""
    @async_command
    def rollback(self, id: str, *, on_progress: Progress = ...) -> PluginRollbackResult:
        """Return to the version of a plugin before the last upgrade."""
    @async_command
    def pin(self, id: str, *, on_progress: Progress = ...) -> PluginPinResult:
        """Keep a plugin at its version."""
    @async_command
    def unpin(self, id: str, *, on_progress: Progress = ...) -> PluginUnpinResult:
        """Allow upgrades of a pinned plugin again."""
    @async_command
    def remove(self, id: str, *, on_progress: Progress = ...) -> PluginRemoveResult:
        """Remove a plugin of this user and keep its stores."""
    @async_command
    def outdated(self, *, host: Optional[Path] = ..., on_progress: Progress = ...) -> Table:
        """List plugins with newer versions, or refused by another workbench."""
    @async_command
    def pack(self, folder: Path, *, output: Optional[Path] = ..., key: Optional[Path] = ..., on_progress: Progress = ...) -> PluginPackResult:
        """Make a package of a plugin."""
    @async_command
    def search(self, text: Optional[str] = ..., *, on_progress: Progress = ...) -> Table:
        """List the plugins that sources offer."""
    @async_command
    def source_add(self, location: str, *, key: str, on_progress: Progress = ...) -> PluginSourceAddResult:
        """Add a source of plugins."""
    @async_command
    def source_list(self, *, on_progress: Progress = ...) -> Table:
        """List the sources of plugins."""
    @async_command
    def source_remove(self, name: str, *, on_progress: Progress = ...) -> PluginSourceRemoveResult:
        """Remove a source of plugins."""
    @async_command
    def bisect(self, *command: Union[str, Sequence[str]], limit: Optional[int] = ..., on_progress: Progress = ...) -> PluginBisectResult:
        """Find the plugin that makes a command line fail."""
    @async_command
    def profile(self, id: Optional[str] = ..., *, limit: Optional[int] = ..., on_progress: Progress = ...) -> Table:
        """Measure the time and memory of plugins."""
    @async_command
    def doctor(self, id: Optional[str] = ..., *, on_progress: Progress = ...) -> Records:
        """Check that plugins can be loaded, and run their own checks."""
    @async_command
    def new(self, name: str, *, language: Optional[Literal["swift", "python", "r"]] = ..., folder: Optional[Path] = ..., on_progress: Progress = ...) -> PluginNewResult:
        """Write a new plugin with a command and tests."""
    @async_command
    def validate(self, path: Path, *, record: Optional[bool] = ..., on_progress: Progress = ...) -> Table:
        """Check a plugin like 'plugin install', and replay its transcripts."""

class AsyncSdk:
    @async_command
    def path(self, *, on_progress: Progress = ...) -> SdkPathResult:
        """Print the folder of the plugin SDK of this installation."""

class AsyncStore:
    @async_command
    def list(self, *, on_progress: Progress = ...) -> Table:
        """List the stores of all plugins."""
    @async_command
    def check(self, *store: Union[str, Sequence[str]], on_progress: Progress = ...) -> Records:
        """Check stores for damage."""
    @async_command
    def backup(self, store: str, file: Optional[Path] = ..., *, on_progress: Progress = ...) -> StoreBackupResult:
        """Back up a store to a new file."""
    @async_command
    def restore(self, store: str, file: Path, *, on_progress: Progress = ...) -> StoreRestoreResult:
        """Replace a store with a backup."""
    @async_command
    def rebuild(self, store: str, *, on_progress: Progress = ...) -> Any:
        """Rebuild a damaged store from its source files."""
    @async_command
    def export(self, store: str, *, on_progress: Progress = ...) -> Any:
        """Print the content of a store as tables."""
    @async_command
    def share(self, store: str, address: str, *, on_progress: Progress = ...) -> StoreShareResult:
        """Copy a store to a PostgreSQL database and use it there."""
    @async_command
    def unshare(self, store: str, *, on_progress: Progress = ...) -> StoreUnshareResult:
        """Return from a shared store to the file on this machine."""

class AsyncBatch:
    @async_command
    def run(self, run: str, *command: Union[str, Sequence[str]], files: Optional[Union[str, Sequence[str]]] = ..., items: Optional[Path] = ..., null: Optional[bool] = ..., from_: Optional[str] = ..., sql: Optional[Path] = ..., parts: Optional[int] = ..., cost: Optional[str] = ..., probe: Optional[int] = ..., seed: Optional[int] = ..., checksums: Optional[bool] = ..., workers: Optional[int] = ..., shards: Optional[int] = ..., item_timeout: Optional[Number] = ..., item_memory: Optional[int] = ..., allow_network: Optional[bool] = ..., executor: Optional[Literal["local", "slurm"]] = ..., partition: Optional[str] = ..., time: Optional[str] = ..., memory: Optional[str] = ..., max_running: Optional[int] = ..., sbatch: Optional[Union[str, Sequence[str]]] = ..., gather: Optional[Path] = ..., max_errors: Optional[int] = ..., allow_other_version: Optional[bool] = ..., on_progress: Progress = ...) -> BatchRunResult:
        """Run a command for many items on all cores, or resume the run."""
    @async_command
    def submit(self, run: str, *command: Union[str, Sequence[str]], files: Optional[Union[str, Sequence[str]]] = ..., items: Optional[Path] = ..., null: Optional[bool] = ..., from_: Optional[str] = ..., sql: Optional[Path] = ..., parts: Optional[int] = ..., cost: Optional[str] = ..., probe: Optional[int] = ..., seed: Optional[int] = ..., checksums: Optional[bool] = ..., shards: Optional[int] = ..., item_timeout: Optional[Number] = ..., item_memory: Optional[int] = ..., allow_network: Optional[bool] = ..., executor: Optional[Literal["slurm"]] = ..., partition: Optional[str] = ..., time: Optional[str] = ..., memory: Optional[str] = ..., max_running: Optional[int] = ..., sbatch: Optional[Union[str, Sequence[str]]] = ..., gather: Optional[Path] = ..., follow: Optional[int] = ..., allow_other_version: Optional[bool] = ..., on_progress: Progress = ...) -> BatchSubmitResult:
        """Submit the missing items of a run as Slurm jobs."""
    @async_command
    def plan(self, run: str, *command: Union[str, Sequence[str]], files: Optional[Union[str, Sequence[str]]] = ..., items: Optional[Path] = ..., null: Optional[bool] = ..., from_: Optional[str] = ..., sql: Optional[Path] = ..., parts: Optional[int] = ..., cost: Optional[str] = ..., probe: Optional[int] = ..., seed: Optional[int] = ..., checksums: Optional[bool] = ..., workers: Optional[int] = ..., shards: Optional[int] = ..., item_timeout: Optional[Number] = ..., item_memory: Optional[int] = ..., allow_network: Optional[bool] = ..., executor: Optional[Literal["local", "slurm"]] = ..., time: Optional[str] = ..., max_running: Optional[int] = ..., on_progress: Progress = ...) -> BatchPlanResult:
        """Plan a run without starting it."""
    @async_command
    def work(self, run: str, *, shard: int, allow_other_version: Optional[bool] = ..., on_progress: Progress = ...) -> BatchWorkResult:
        """Run the items of one shard, for a scheduler."""
    @async_command
    def status(self, run: str, *, watch: Optional[bool] = ..., on_progress: Progress = ...) -> BatchStatusResult:
        """Show the progress of a run."""
    @async_command
    def errors(self, run: str, *, code: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the items of a run that ended in an error."""
    @async_command
    def retry(self, run: str, *, code: Optional[str] = ..., item: Optional[Union[int, Sequence[int]]] = ..., missing: Optional[bool] = ..., workers: Optional[int] = ..., executor: Optional[Literal["local", "slurm"]] = ..., partition: Optional[str] = ..., time: Optional[str] = ..., memory: Optional[str] = ..., max_running: Optional[int] = ..., sbatch: Optional[Union[str, Sequence[str]]] = ..., gather: Optional[Path] = ..., max_errors: Optional[int] = ..., allow_other_version: Optional[bool] = ..., on_progress: Progress = ...) -> BatchRetryResult:
        """Run failed or chosen items again."""
    @async_command
    def cancel(self, run: str, *, on_progress: Progress = ...) -> BatchCancelResult:
        """Stop the workers of a run after their current items."""
    @async_command
    def verify(self, run: str, *, sample: Optional[int] = ..., on_progress: Progress = ...) -> BatchVerifyResult:
        """Check that a run is complete, and run a sample of it again."""
    @async_command
    def script(self, run: str, *, engine: Literal["slurm", "snakemake", "parallel", "nextflow", "cwl"], time: Optional[str] = ..., on_progress: Progress = ...) -> str:
        """Write a recipe that runs the shards of a run with a workflow engine."""
    @async_command
    def list(self, *, on_progress: Progress = ...) -> Table:
        """List your runs."""
    @async_command
    def remove(self, run: str, *, on_progress: Progress = ...) -> BatchRemoveResult:
        """Delete a run with its results."""

class AsyncConfig:
    @async_command
    def get(self, setting: str, *, on_progress: Progress = ...) -> Any:
        """Print the value of a setting."""
    @async_command
    def set(self, setting: str, *value: Union[str, Sequence[str]], on_progress: Progress = ...) -> Any:
        """Set the value of a setting."""
    @async_command
    def unset(self, setting: str, *, on_progress: Progress = ...) -> Any:
        """Restore the default value of a setting."""
    @async_command
    def list(self, *, on_progress: Progress = ...) -> Table:
        """List all settings with their values and sources."""
    @async_command
    def explain(self, setting: str, *, on_progress: Progress = ...) -> ConfigExplainResult:
        """Explain a setting and the sources of its value."""

class AsyncMolecules:
    @async_command
    def list(self, *, match: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the molecules in the library."""
    @async_command
    def import_(self, *file: Union[Path, Sequence[Path]], on_progress: Progress = ...) -> Records:
        """Import structure files into the library."""
    @async_command
    def delete(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> MoleculesDeleteResult:
        """Delete a molecule and its original file from the library."""
    @async_command
    def open(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> MoleculesOpenResult:
        """Choose the molecule that the viewer shows next."""
    @async_command
    def rebuild_library(self, *, on_progress: Progress = ...) -> MoleculesRebuildLibraryResult:
        """Rebuild a damaged library from the original files."""
    @async_command
    def info(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> MoleculesInfoResult:
        """Show the metadata and counts of a molecule."""
    @async_command
    def render(self, molecule: Union[Path, int], *, mode: Optional[Literal["ball-and-stick", "spacefilling", "cylinders", "sticks", "backbone", "cartoon", "surface"]] = ..., color: Optional[Literal["element", "residue", "chain", "entity", "secondary-structure", "b-factor", "plddt", "occupancy", "rainbow"]] = ..., label: Optional[Literal["none", "chains", "residues", "atoms"]] = ..., legend: Optional[bool] = ..., rotate: Optional[Union[str, Sequence[float]]] = ..., zoom: Optional[Number] = ..., model: Optional[str] = ..., assembly: Optional[str] = ..., occlusion: Optional[Literal["on", "off"]] = ..., outline: Optional[Literal["on", "off"]] = ..., fog: Optional[Literal["on", "off"]] = ..., quality: Optional[Literal["normal", "best"]] = ..., background: Optional[Literal["black", "white", "none"]] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., size: Size = ..., on_progress: Progress = ...) -> Picture:
        """Draw a molecule of the library or a file."""
    @async_command
    def animate(self, molecule: Union[Path, int], *, frames: Optional[int] = ..., spin: Optional[Number] = ..., mode: Optional[Literal["ball-and-stick", "spacefilling", "cylinders", "sticks", "backbone", "cartoon", "surface"]] = ..., color: Optional[Literal["element", "residue", "chain", "entity", "secondary-structure", "b-factor", "plddt", "occupancy", "rainbow"]] = ..., label: Optional[Literal["none", "chains", "residues", "atoms"]] = ..., legend: Optional[bool] = ..., rotate: Optional[Union[str, Sequence[float]]] = ..., zoom: Optional[Number] = ..., model: Optional[str] = ..., assembly: Optional[str] = ..., occlusion: Optional[Literal["on", "off"]] = ..., outline: Optional[Literal["on", "off"]] = ..., fog: Optional[Literal["on", "off"]] = ..., quality: Optional[Literal["normal", "best"]] = ..., background: Optional[Literal["black", "white", "none"]] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., size: Size = ..., on_progress: Progress = ...) -> List[Picture]:
        """Draw an animation of a rotating molecule."""
    @async_command
    def bonds(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the bonds of a molecule."""
    @async_command
    def chains(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the chains of a molecule."""
    @async_command
    def atoms(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the atoms of a molecule."""
    @async_command
    def sequence(self, molecule: Union[Path, int], *, select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """Show the sequences of a molecule's chains."""
    @async_command
    def select(self, molecule: Union[Path, int], selection: str, *, model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesSelectResult:
        """Show the atoms of a selection."""
    @async_command
    def measure_distance(self, molecule: Union[Path, int], first: str, second: str, *, nearest: Optional[bool] = ..., model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesMeasureDistanceResult:
        """Measure the distance between two atoms or parts of a molecule."""
    @async_command
    def measure_angle(self, molecule: Union[Path, int], first: str, second: str, third: str, *, model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesMeasureAngleResult:
        """Measure the angle at the second of three atoms or parts."""
    @async_command
    def measure_dihedral(self, molecule: Union[Path, int], first: str, second: str, third: str, fourth: str, *, model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesMeasureDihedralResult:
        """Measure the dihedral angle of four atoms or parts."""
    @async_command
    def measure_phi_psi(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the backbone angles phi, psi and omega of proteins."""
    @async_command
    def measure_torsions(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the named torsions of proteins and nucleic acids."""
    @async_command
    def superpose(self, molecule: Union[Path, int], onto: Optional[Union[Path, int]] = ..., *, select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., chain: Optional[str] = ..., pair: Optional[Literal["sequence", "number"]] = ..., atoms: Optional[Literal["trace", "backbone", "all"]] = ..., cycles: Optional[int] = ..., cutoff: Optional[Number] = ..., model: Optional[int] = ..., onto_model: Optional[int] = ..., models: Optional[bool] = ..., on_progress: Progress = ...) -> MoleculesSuperposeResult:
        """Superpose one molecule on another and show the RMSD."""
    @async_command
    def scan(self, *molecule: Union[Union[Path, int], Sequence[Union[Path, int]]], select: Optional[str] = ..., site: Optional[Union[str, Sequence[str]]] = ..., distance: Optional[Union[str, Sequence[str]]] = ..., like: Optional[str] = ..., tolerance: Optional[Number] = ..., limit: Optional[int] = ..., model: Optional[int] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Records:
        """Search structures for residues or geometric motifs."""
    @async_command
    def secondary_structure(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesSecondaryStructureResult:
        """Assign helices, strands and turns by the DSSP method."""
    @async_command
    def assemblies(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> Table:
        """List the biological assemblies of a molecule."""
    @async_command
    def symmetry(self, molecule: Union[Path, int], *, on_progress: Progress = ...) -> Table:
        """List the symmetry operators of a molecule's crystal."""
    @async_command
    def surface_area(self, molecule: Union[Path, int], *, probe: Optional[Number] = ..., points: Optional[int] = ..., model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """Measure the solvent-accessible surface of each residue."""
    @async_command
    def contacts(self, molecule: Union[Path, int], *, within: Optional[Number] = ..., water: Optional[bool] = ..., between_chains: Optional[bool] = ..., model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List residues that touch."""
    @async_command
    def hydrogen_bonds(self, molecule: Union[Path, int], *, water: Optional[bool] = ..., model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List hydrogen bonds between residues."""
    @async_command
    def salt_bridges(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List salt bridges between side chains."""
    @async_command
    def disulfides(self, molecule: Union[Path, int], *, model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> Table:
        """List the disulfide bonds of cysteines."""
    @async_command
    def search(self, text: str, *, service: Optional[Literal["rcsb", "soap", "text", "pubchem", "alphafold"]] = ..., rows: Optional[int] = ..., on_progress: Progress = ...) -> Table:
        """Search databases for molecules."""
    @async_command
    def fetch(self, code: Optional[str] = ..., *, url: Optional[str] = ..., service: Optional[Literal["rcsb", "soap", "text", "pubchem", "alphafold"]] = ..., format: Optional[Literal["mmcif", "pdb"]] = ..., force: Optional[bool] = ..., on_progress: Progress = ...) -> Records:
        """Download a molecule into the library."""
    @async_command
    def page(self, code: Optional[str] = ..., *, service: Optional[Literal["rcsb", "soap", "text", "pubchem", "alphafold"]] = ..., read: Optional[bool] = ..., url: Optional[str] = ..., open: Optional[bool] = ..., on_progress: Progress = ...) -> MoleculesPageResult:
        """Show the description or web page of a molecule at a service."""
    @async_command
    def export(self, *molecule: Union[Union[Path, int], Sequence[Union[Path, int]]], format: Optional[Literal["pdb", "mmcif", "xyz", "sql-1.2"]] = ..., output: Optional[Path] = ..., model: Optional[int] = ..., select: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> MoleculesExportResult:
        """Export molecules to a file in another format."""
    @async_command
    def session_save(self, file: Path, *molecule: Union[Union[Path, int], Sequence[Union[Path, int]]], mode: Optional[Literal["ball-and-stick", "spacefilling", "cylinders", "sticks", "backbone", "cartoon", "surface"]] = ..., scheme: Optional[Literal["element", "residue", "chain", "entity", "secondary-structure", "b-factor", "plddt", "occupancy", "rainbow"]] = ..., model: Optional[int] = ..., on_progress: Progress = ...) -> MoleculesSessionSaveResult:
        """Save molecules and the way they are drawn to a session file."""
    @async_command
    def session_open(self, file: Path, *, on_progress: Progress = ...) -> MoleculesSessionOpenResult:
        """Choose the session that the viewer shows next."""

class AsyncOpenbis:
    @async_command
    def login(self, url: str, *, user: Optional[str] = ..., password_stdin: Optional[bool] = ..., token_file: Optional[Path] = ..., forget_password: Optional[bool] = ..., new_token: Optional[str] = ..., days: Optional[int] = ..., native: Optional[bool] = ..., data_store: Optional[str] = ..., trust: Optional[str] = ..., insecure: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisLoginResult:
        """Log in to a server and store the session."""
    @async_command
    def logout(self, *, account: Optional[str] = ..., forget: Optional[bool] = ..., on_progress: Progress = ...) -> List[str]:
        """End the session and delete the stored token and password."""
    @async_command
    def servers(self, *, use: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the known servers and users."""
    @async_command
    def token_list(self, *, account: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List your personal access tokens."""
    @async_command
    def token_revoke(self, token: str, *, account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisTokenRevokeResult:
        """Revoke a personal access token."""
    @async_command
    def secrets_status(self, *, on_progress: Progress = ...) -> OpenbisSecretsStatusResult:
        """Show whether stored tokens and passwords are encrypted."""
    @async_command
    def secrets_encrypt(self, *, new_key_file: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisSecretsEncryptResult:
        """Encrypt stored tokens and passwords."""
    @async_command
    def secrets_unlock(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisSecretsUnlockResult:
        """Keep the key in memory for later commands."""
    @async_command
    def secrets_lock(self, *, on_progress: Progress = ...) -> OpenbisSecretsLockResult:
        """Remove the key that 'secrets unlock' keeps in memory."""
    @async_command
    def secrets_change_key(self, *, new_key_file: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisSecretsChangeKeyResult:
        """Replace the passphrase or key file."""
    @async_command
    def secrets_decrypt(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., forget: Optional[bool] = ..., on_progress: Progress = ...) -> OpenbisSecretsDecryptResult:
        """Decrypt stored tokens and passwords."""
    @async_command
    def sync(self, *, full: Optional[bool] = ..., if_due: Optional[bool] = ..., no_index: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisSyncResult:
        """Download changes from the server into the cache."""
    @async_command
    def categories(self, *, account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """List the categories of the first screen."""
    @async_command
    def roots(self, category: Optional[str] = ..., *, offset: Optional[int] = ..., limit: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """List the top entities, of all categories or of one."""
    @async_command
    def entities(self, *, limit: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the ids of cached entities."""
    @async_command
    def data_sets(self, *, limit: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the codes of cached data sets."""
    @async_command
    def drill(self, perm_id: str, *, offset: Optional[int] = ..., limit: Optional[int] = ..., cached: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """List the children of an entity."""
    @async_command
    def detail(self, perm_id: str, *, cached: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisDetailResult:
        """Show the details of an entity."""
    @async_command
    def tree(self, perm_id: str, *, depth: Optional[int] = ..., parents: Optional[bool] = ..., rows: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """Show the entities below an entity as a tree."""
    @async_command
    def export(self, perm_id: str, *, format: Optional[Literal["json", "csv", "html"]] = ..., output: Optional[Path] = ..., depth: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Any:
        """Export an entity and all cached entities below it."""
    @async_command
    def search(self, text: str, *, remote: Optional[bool] = ..., domain: Optional[str] = ..., anywhere: Optional[bool] = ..., under: Optional[str] = ..., limit: Optional[int] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Records:
        """Find entities by words or substrings."""
    @async_command
    def image(self, perm_id: str, *, number: Optional[int] = ..., save: Optional[Path] = ..., cached: Optional[bool] = ..., known_details: Optional[bool] = ..., account: Optional[str] = ..., size: Size = ..., on_progress: Progress = ...) -> Picture:
        """Show an image of an entity."""
    @async_command
    def files(self, data_set: str, *, folders: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the files of a data set."""
    @async_command
    def download(self, data_set: str, path: Optional[str] = ..., *, all: Optional[bool] = ..., match: Optional[str] = ..., output: Optional[Path] = ..., overwrite: Optional[bool] = ..., anew: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisDownloadResult:
        """Download a file of a data set, or all of its files."""
    @async_command
    def preview(self, data_set: str, path: str, *, account: Optional[str] = ..., on_progress: Progress = ...) -> Any:
        """Show an image, table or text file of a data set."""
    @async_command
    def mapping_show(self, *, default: Optional[bool] = ..., account: Optional[str] = ..., on_progress: Progress = ...) -> Any:
        """Print the mapping in use."""
    @async_command
    def mapping_check(self, file: Path, *, on_progress: Progress = ...) -> OpenbisMappingCheckResult:
        """Check a mapping file for errors."""
    @async_command
    def mapping_use(self, file: Path, *, account: Optional[str] = ..., on_progress: Progress = ...) -> OpenbisMappingUseResult:
        """Use a mapping file for a server."""
    @async_command
    def simulate(self, *, shape: Optional[Literal["demo", "yeastlab", "plain", "tag-browser"]] = ..., entities: Optional[int] = ..., import_size: Optional[int] = ..., categories: Optional[int] = ..., dialect: Optional[Literal["final", "mid", "seed", "pre-category"]] = ..., port: Optional[int] = ..., tls: Optional[Literal["off", "on", "expired", "wrong-host"]] = ..., seed: Optional[int] = ..., user: Optional[Union[str, Sequence[str]]] = ..., fault: Optional[Union[str, Sequence[str]]] = ..., session_calls: Optional[int] = ..., session_seconds: Optional[int] = ..., changes: Optional[Number] = ..., on_progress: Progress = ...) -> List[str]:
        """Run a simulated openBIS server until interrupted."""

class AsyncPathcase:
    @async_command
    def list(self, *, filter: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the pathways of the database and imported networks."""
    @async_command
    def metabolites(self, *, filter: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the metabolites of the database."""
    @async_command
    def processes(self, *, filter: Optional[str] = ..., pathway: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the processes of the database or of a pathway."""
    @async_command
    def compartments(self, *, filter: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the compartments of the database."""
    @async_command
    def tissues(self, *, filter: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """List the organs and body fluids of the database."""
    @async_command
    def info(self, network: Union[Path, int], *, on_progress: Progress = ...) -> Record:
        """Show the contents of a pathway or file."""
    @async_command
    def show(self, network: Union[Path, int], *, zoom: Optional[Literal["overview", "names", "full"]] = ..., ascii: Optional[bool] = ..., width: Optional[int] = ..., common: Optional[Literal["hidden", "beside", "as-others"]] = ..., on_progress: Progress = ...) -> str:
        """Draw a pathway or file as text."""
    @async_command
    def layout(self, network: Union[Path, int], *, common: Optional[Literal["hidden", "beside", "as-others"]] = ..., on_progress: Progress = ...) -> PathcaseLayoutResult:
        """Compute the layout of a pathway or file."""
    @async_command
    def draw(self, network: Union[Path, int], *, output: Optional[Path] = ..., format: Optional[Literal["svg", "pdf", "png"]] = ..., theme: Optional[Literal["light", "print", "dark"]] = ..., width: Optional[int] = ..., labels: Optional[Literal["auto", "names", "ids"]] = ..., hide_common: Optional[bool] = ..., overlay: Optional[Path] = ..., no_title: Optional[bool] = ..., on_progress: Progress = ...) -> Any:
        """Draw a pathway or file as a picture: SVG, PDF or PNG."""
    @async_command
    def import_(self, *file: Union[Union[Path, int], Sequence[Union[Path, int]]], id: Optional[str] = ..., replace: Optional[bool] = ..., on_progress: Progress = ...) -> Table:
        """Store the network of a file, to use it by its id."""
    @async_command
    def imports(self, *, on_progress: Progress = ...) -> Table:
        """List imported networks."""
    @async_command
    def export(self, network: Union[Path, int], *, format: Optional[Literal["sbml", "sbgn", "escher", "kgml", "dot", "svg", "json", "cobra"]] = ..., output: Optional[Path] = ..., on_progress: Progress = ...) -> Any:
        """Write a pathway or file in another format."""
    @async_command
    def forget(self, *id: Union[str, Sequence[str]], on_progress: Progress = ...) -> PathcaseForgetResult:
        """Remove imported networks."""
    @async_command
    def neighbors(self, name: str, *, in_: Optional[Union[Path, int]] = ..., on_progress: Progress = ...) -> Table:
        """List the neighbors of a metabolite pool or process."""
    @async_command
    def path(self, from_: str, to: str, *, in_: Optional[Union[Path, int]] = ..., common: Optional[bool] = ..., on_progress: Progress = ...) -> Table:
        """Find a path from one metabolite or process to another."""
    @async_command
    def smda(self, network: Union[Path, int], *, closed: Optional[bool] = ..., observations: Optional[Path] = ..., rules: Optional[Path] = ..., labels: Optional[int] = ..., mode: Optional[Literal["necessary", "strict", "realizable"]] = ..., page: Optional[int] = ..., page_size: Optional[int] = ..., sample: Optional[int] = ..., seed: Optional[int] = ..., marginals: Optional[bool] = ..., active: Optional[Union[str, Sequence[str]]] = ..., forward: Optional[Union[str, Sequence[str]]] = ..., backward: Optional[Union[str, Sequence[str]]] = ..., idle: Optional[Union[str, Sequence[str]]] = ..., pathway_on: Optional[Union[str, Sequence[str]]] = ..., pathway_off: Optional[Union[str, Sequence[str]]] = ..., at_most: Optional[int] = ..., simplest: Optional[bool] = ..., on_progress: Progress = ...) -> PathcaseSmdaResult:
        """Count and list the scenarios that fit the observations."""
    @async_command
    def rules(self, *, rules: Optional[Path] = ..., on_progress: Progress = ...) -> PathcaseRulesResult:
        """Show the rules of scenario analysis, as a file to edit."""
    @async_command
    def fba(self, network: Union[Path, int], *, maximize: Optional[str] = ..., minimize: Optional[str] = ..., on_progress: Progress = ...) -> PathcaseFbaResult:
        """Find the optimal steady-state fluxes of a model."""
    @async_command
    def pfba(self, network: Union[Path, int], *, maximize: Optional[str] = ..., minimize: Optional[str] = ..., on_progress: Progress = ...) -> PathcasePfbaResult:
        """Find the optimal fluxes with the smallest total."""
    @async_command
    def fva(self, network: Union[Path, int], *, maximize: Optional[str] = ..., minimize: Optional[str] = ..., fraction: Optional[Number] = ..., part: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """Find the smallest and largest flux of each reaction."""
    @async_command
    def blocked(self, network: Union[Path, int], *, tolerance: Optional[Number] = ..., on_progress: Progress = ...) -> Table:
        """List the reactions that cannot have a flux at steady state."""
    @async_command
    def deletions(self, network: Union[Path, int], *, maximize: Optional[str] = ..., minimize: Optional[str] = ..., genes: Optional[bool] = ..., pairs: Optional[bool] = ..., synthetic_lethal: Optional[bool] = ..., part: Optional[str] = ..., on_progress: Progress = ...) -> Table:
        """Compute the optimum without each reaction, gene or pair of them."""
    @async_command
    def modes(self, network: Union[Path, int], *, limit: Optional[int] = ..., seconds: Optional[int] = ..., closed: Optional[bool] = ..., stop: Optional[Union[str, Sequence[str]]] = ..., on_progress: Progress = ...) -> PathcaseModesResult:
        """Find all elementary modes of a network."""
    @async_command
    def update(self, *, server: Optional[str] = ..., only: Optional[Literal["tissues", "compartments", "metabolites", "pools", "processes", "pathways", "smdapathways", "ranges", "layout"]] = ..., on_progress: Progress = ...) -> Table:
        """Download changes to the database."""
    @async_command
    def rollback(self, *, on_progress: Progress = ...) -> PathcaseRollbackResult:
        """Return to the database before the last update."""
    @async_command
    def validate(self, file: Union[Path, int], *, on_progress: Progress = ...) -> Table:
        """Check a file for problems."""
    @async_command
    def freeze(self, pathway: str, *, remove: Optional[bool] = ..., anew: Optional[bool] = ..., common: Optional[Literal["hidden", "as-others"]] = ..., on_progress: Progress = ...) -> PathcaseFreezeResult:
        """Keep the layout of a pathway as your own."""
    @async_command
    def simulate(self, *, port: Optional[int] = ..., fault: Optional[Union[str, Sequence[str]]] = ..., envelope: Optional[Literal["bare", "soap", "soap-text", "asmx", "gzip"]] = ..., changed: Optional[int] = ..., changes: Optional[Number] = ..., latency: Optional[int] = ..., delay: Optional[int] = ..., certificate: Optional[Path] = ..., key: Optional[Path] = ..., on_progress: Progress = ...) -> List[str]:
        """Serve the bundled database on this machine until interrupted."""

class AsyncWsabi:
    @async_command
    def store_init(self, *, new_key_file: Optional[Path] = ..., user: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreInitResult:
        """Create the store of people and captures."""
    @async_command
    def store_status(self, *, on_progress: Progress = ...) -> WsabiStoreStatusResult:
        """Show where the store is and whether it is open."""
    @async_command
    def store_unlock(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreUnlockResult:
        """Open the store for the commands that follow."""
    @async_command
    def store_lock(self, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiStoreLockResult:
        """Close the store."""
    @async_command
    def store_change_key(self, *, new_key_file: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreChangeKeyResult:
        """Replace your passphrase or key file."""
    @async_command
    def store_change_master_key(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreChangeMasterKeyResult:
        """Replace the master key of all records."""
    @async_command
    def store_check(self, *, data: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiStoreCheckResult:
        """Check the store for damage."""
    @async_command
    def store_purge(self, *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStorePurgeResult:
        """Compact the store after deletions."""
    @async_command
    def store_restore(self, file: Path, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiStoreRestoreResult:
        """Replace the records of the store with those of a backup."""
    @async_command
    def role(self, name: Optional[str] = ..., role: Optional[Literal["operator", "reviewer", "admin"]] = ..., *, key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> Records:
        """List users with their roles, or change a role."""
    @async_command
    def store_add_user(self, name: str, role: Literal["operator", "reviewer", "admin"], *, new_key_file: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., short_passphrase: Optional[bool] = ..., on_progress: Progress = ...) -> Records:
        """Add a user with their own key."""
    @async_command
    def store_remove_user(self, name: str, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> Records:
        """Remove a user from the store."""
    @async_command
    def person_add(self, *, first_name: Optional[str] = ..., middle_name: Optional[str] = ..., last_name: Optional[str] = ..., other_name: Optional[str] = ..., gender: Optional[str] = ..., hair_color: Optional[str] = ..., race: Optional[str] = ..., eye_color: Optional[str] = ..., height: Optional[str] = ..., weight: Optional[str] = ..., notes: Optional[str] = ..., alias: Optional[Union[str, Sequence[str]]] = ..., date_of_birth: Optional[Union[str, Sequence[str]]] = ..., place_of_birth: Optional[Union[str, Sequence[str]]] = ..., from_: Optional[str] = ..., ask: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonAddResult:
        """Add a person."""
    @async_command
    def person_list(self, *, find: Optional[str] = ..., from_: Optional[int] = ..., limit: Optional[int] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List people, oldest first."""
    @async_command
    def person_show(self, person: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonShowResult:
        """Show a person with all items."""
    @async_command
    def person_edit(self, person: int, *, first_name: Optional[str] = ..., middle_name: Optional[str] = ..., last_name: Optional[str] = ..., other_name: Optional[str] = ..., gender: Optional[str] = ..., hair_color: Optional[str] = ..., race: Optional[str] = ..., eye_color: Optional[str] = ..., height: Optional[str] = ..., weight: Optional[str] = ..., notes: Optional[str] = ..., alias: Optional[Union[str, Sequence[str]]] = ..., date_of_birth: Optional[Union[str, Sequence[str]]] = ..., place_of_birth: Optional[Union[str, Sequence[str]]] = ..., from_: Optional[str] = ..., ask: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonEditResult:
        """Edit the biography of a person."""
    @async_command
    def person_duplicate(self, person: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonDuplicateResult:
        """Add a person with the same items and sensors."""
    @async_command
    def person_delete(self, person: int, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiPersonDeleteResult:
        """Delete a person with all captures permanently."""
    @async_command
    def person_enroll(self, person: int, *, template: Optional[Literal["full", "fingers", "rolled", "slaps", "face", "irises"]] = ..., sensor: Optional[Union[str, Sequence[str]]] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiPersonEnrollResult:
        """Add the items of a template to a person."""
    @async_command
    def item_types(self, *, on_progress: Progress = ...) -> Records:
        """List all submodalities."""
    @async_command
    def item_add(self, person: int, *, modality: Optional[str] = ..., submodality: Optional[str] = ..., sensor: Optional[str] = ..., sensor_name: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiItemAddResult:
        """Add an item to capture, with its sensor."""
    @async_command
    def item_list(self, person: Optional[int] = ..., *, missing: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List the items of one person or of all people."""
    @async_command
    def item_show(self, item: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiItemShowResult:
        """Show an item with its newest capture."""
    @async_command
    def item_edit(self, item: int, *, modality: Optional[str] = ..., submodality: Optional[str] = ..., sensor: Optional[str] = ..., sensor_name: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., yes: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiItemEditResult:
        """Change what is captured, the sensor or its settings."""
    @async_command
    def item_delete(self, item: int, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiItemDeleteResult:
        """Delete an item with all captures permanently."""
    @async_command
    def item_captures(self, item: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List all captures of an item, newest first."""
    @async_command
    def item_annotate(self, item: int, *, part: Optional[Union[str, Sequence[str]]] = ..., notes: Optional[str] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiItemAnnotateResult:
        """Annotate parts of the body, or add notes."""
    @async_command
    def item_clear(self, item: int, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiItemClearResult:
        """Delete all captures of an item permanently."""
    @async_command
    def person_check(self, person: int, *, score: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiPersonCheckResult:
        """Check for fingers that are missing, captured twice or mixed up."""
    @async_command
    def export(self, person: int, *, format: Optional[Literal["json", "zip", "an2k", "ebts"]] = ..., output: Optional[Path] = ..., to: Optional[Path] = ..., origin: Optional[str] = ..., destination: Optional[str] = ..., control_number: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiExportResult:
        """Export a person with all items and captures."""
    @async_command
    def import_(self, path: Path, *, allow_known_data: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiImportResult:
        """Import a person from an export."""
    @async_command
    def sensor_check(self, uri: str, *, modality: Optional[str] = ..., submodality: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorCheckResult:
        """Show what a sensor is and what it can capture."""
    @async_command
    def sensor_certificate(self, uri: str, *, authorities: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorCertificateResult:
        """Show the certificate of a sensor and the pin of its key."""
    @async_command
    def sensor_list(self, *, modality: Optional[str] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List recently used sensors."""
    @async_command
    def sensor_forget(self, sensor: str, *, modality: Optional[str] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiSensorForgetResult:
        """Remove a sensor from the recent sensors."""
    @async_command
    def sensor_discover(self, *, seconds: Optional[int] = ..., count: Optional[int] = ..., interface: Optional[str] = ..., port: Optional[int] = ..., on_progress: Progress = ...) -> Records:
        """Find sensors on the local network, and cameras of this machine."""
    @async_command
    def sensor_register(self, uri: str, *, pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorRegisterResult:
        """Begin a session at a sensor."""
    @async_command
    def sensor_unregister(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorUnregisterResult:
        """End a session and release its lock."""
    @async_command
    def sensor_lock(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorLockResult:
        """Lock a sensor."""
    @async_command
    def sensor_unlock(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorUnlockResult:
        """Release the lock of a sensor."""
    @async_command
    def sensor_initialize(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorInitializeResult:
        """Initialize a sensor for captures."""
    @async_command
    def sensor_uninitialize(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorUninitializeResult:
        """Uninitialize a sensor."""
    @async_command
    def sensor_configuration(self, uri: str, *, session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorConfigurationResult:
        """Show the configuration of a sensor."""
    @async_command
    def sensor_configure(self, uri: str, *, session: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorConfigureResult:
        """Configure a sensor."""
    @async_command
    def sensor_information(self, uri: str, *, pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorInformationResult:
        """Show the service information of a sensor."""
    @async_command
    def sensor_status(self, uri: str, *, pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorStatusResult:
        """Show the status of a sensor."""
    @async_command
    def sensor_cancel(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorCancelResult:
        """Cancel the operation of a session at a sensor."""
    @async_command
    def sensor_steal(self, uri: str, *, session: Optional[str] = ..., cancel: Optional[bool] = ..., yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorStealResult:
        """Steal the lock of a sensor from another client."""
    @async_command
    def sensor_capture(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorCaptureResult:
        """Capture with a sensor and show the capture ids."""
    @async_command
    def sensor_begin_capture(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorBeginCaptureResult:
        """Begin a capture with a sensor without waiting for its end."""
    @async_command
    def sensor_end_capture(self, uri: str, *, session: Optional[str] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorEndCaptureResult:
        """Wait for the end of a capture and show the capture ids."""
    @async_command
    def sensor_download(self, uri: str, capture: str, *, output: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorDownloadResult:
        """Download captured data to a file."""
    @async_command
    def sensor_thrifty_download(self, uri: str, capture: str, *, output: Optional[Path] = ..., max_size: Optional[int] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorThriftyDownloadResult:
        """Download a smaller version of captured data."""
    @async_command
    def sensor_raw_download(self, uri: str, capture: str, *, output: Optional[Path] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorRawDownloadResult:
        """Download captured data without the XML around it."""
    @async_command
    def sensor_download_info(self, uri: str, capture: str, *, pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorDownloadInfoResult:
        """Show the metadata of captured data."""
    @async_command
    def sensor_stream(self, uri: str, name: str, *, session: Optional[str] = ..., frames: Optional[int] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., on_progress: Progress = ...) -> WsabiSensorStreamResult:
        """Read a stream of a sensor and count its pictures."""
    @async_command
    def sensor_setup(self, *, person: Optional[int] = ..., item: Optional[int] = ..., modality: Optional[str] = ..., submodality: Optional[str] = ..., sensor: Optional[str] = ..., sensor_name: Optional[str] = ..., set: Optional[Union[str, Sequence[str]]] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., discover: Optional[bool] = ..., anyway: Optional[bool] = ..., yes: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiSensorSetupResult:
        """Set up an item and its sensor step by step."""
    @async_command
    def capture(self, item: Optional[int] = ..., *, person: Optional[int] = ..., all: Optional[bool] = ..., missing: Optional[bool] = ..., again: Optional[bool] = ..., retries: Optional[int] = ..., minimum_quality: Optional[int] = ..., in_turn: Optional[bool] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiCaptureResult:
        """Capture an item or all items of a person."""
    @async_command
    def preview(self, uri: str, *, frames: Optional[int] = ..., seconds: Optional[int] = ..., session: Optional[str] = ..., pin: Optional[Union[str, Sequence[str]]] = ..., authorities: Optional[str] = ..., client_certificate: Optional[str] = ..., client_key: Optional[str] = ..., size: Size = ..., on_progress: Progress = ...) -> List[Picture]:
        """Show the live preview of a sensor."""
    @async_command
    def operations(self, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """List captures that are under way or left by earlier runs."""
    @async_command
    def operations_resume(self, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> Records:
        """Finish captures of earlier runs: download data, release locks."""
    @async_command
    def operations_cancel(self, number: int, *, key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiOperationsCancelResult:
        """Cancel a capture under way, in any process."""
    @async_command
    def operations_discard(self, number: int, *, yes: Optional[bool] = ..., key_file: Optional[Path] = ..., passphrase_stdin: Optional[bool] = ..., on_progress: Progress = ...) -> WsabiOperationsDiscardResult:
        """Give up data that cannot be downloaded."""
    @async_command
    def log(self, *, verify: Optional[bool] = ..., head: Optional[bool] = ..., noted: Optional[str] = ..., from_: Optional[int] = ..., limit: Optional[int] = ..., person: Optional[int] = ..., item: Optional[int] = ..., key_file: Optional[Path] = ..., on_progress: Progress = ...) -> WsabiLogResult:
        """Show the audit log, or verify it."""
    @async_command
    def interactions(self, *, limit: Optional[int] = ..., on_progress: Progress = ...) -> Records:
        """Show actions of users at this station."""
    @async_command
    def simulate(self, *, port: Optional[int] = ..., admin_port: Optional[int] = ..., sensors: Optional[int] = ..., certificate: Optional[Path] = ..., key: Optional[Path] = ..., client_authorities: Optional[Path] = ..., announce: Optional[bool] = ..., announce_port: Optional[int] = ..., own_ports: Optional[bool] = ..., namespace: Optional[Literal["pre-release", "nist", "biometrics", "bioserv"]] = ..., style: Optional[Literal["wcf", "jaxb"]] = ..., manner: Optional[Literal["dotnet", "java"]] = ..., fault: Optional[Union[str, Sequence[str]]] = ..., seed: Optional[int] = ..., session_seconds: Optional[int] = ..., max_sessions: Optional[int] = ..., steal_after: Optional[int] = ..., needs_configuration: Optional[bool] = ..., locked_preview: Optional[bool] = ..., modality: Optional[Union[Literal["finger", "face", "iris", "ear", "vein", "retina", "foot", "other"], Sequence[Literal["finger", "face", "iris", "ear", "vein", "retina", "foot", "other"]]]] = ..., pictures: Optional[Literal["synthetic", "quick"]] = ..., content_type: Optional[Literal["image/bmp", "image/png"]] = ..., capture_size: Optional[int] = ..., person: Optional[int] = ..., captures: Optional[int] = ..., segments: Optional[bool] = ..., capture_delay: Optional[int] = ..., post_processing: Optional[int] = ..., storage: Optional[int] = ..., on_progress: Progress = ...) -> List[str]:
        """Serve simulated sensors on this machine until interrupted."""
    @async_command
    def camera(self, *, list: Optional[bool] = ..., on_progress: Progress = ...) -> List[str]:
        """Serve the cameras of this machine as sensors until interrupted."""

class AsyncCommands:
    @async_command
    def tour(self, *, on_progress: Progress = ...) -> Records:
        """Show the first steps with Workbench."""
    plugin: AsyncPlugin
    sdk: AsyncSdk
    store: AsyncStore
    batch: AsyncBatch
    config: AsyncConfig
    @async_command
    def doctor(self, *, on_progress: Progress = ...) -> Records:
        """Check the terminal, folders, settings, libraries and plugins."""
    @async_command
    def bugreport(self, *, output: Optional[Path] = ..., log_lines: Optional[int] = ..., on_progress: Progress = ...) -> BugreportResult:
        """Collect facts for a bug report, without secrets and personal data."""
    @async_command
    def completion(self, shell: Literal["bash", "zsh", "fish", "nu"], *, on_progress: Progress = ...) -> str:
        """Print the completion script of a shell."""
    @async_command
    def man(self, *command: Union[str, Sequence[str]], all: Optional[Path] = ..., on_progress: Progress = ...) -> str:
        """Print a manual page in roff format."""
    @async_command
    def help(self, *topic: Union[str, Sequence[str]], on_progress: Progress = ...) -> Any:
        """Explain commands, plugins and topics."""
    @async_command
    def version(self, *, on_progress: Progress = ...) -> VersionResult:
        """Print the versions of the program and the plugin contract."""
    molecules: AsyncMolecules
    openbis: AsyncOpenbis
    pathcase: AsyncPathcase
    wsabi: AsyncWsabi
