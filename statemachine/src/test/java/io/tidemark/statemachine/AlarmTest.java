package io.tidemark.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmRequest.AlarmAction;
import io.tidemark.api.etcdserverpb.AlarmResponse;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.mvcc.ReadView;
import io.tidemark.statemachine.read.DowngradeRow;
import io.tidemark.statemachine.testing.Requests;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which alarms stand, who hears of them, and what they forbid. */
class AlarmTest {
  private final Machine machine = new Machine();

  @AfterEach
  void close() {
    machine.close();
  }

  private static AlarmMember alarm(long member, AlarmType type) {
    return AlarmMember.newBuilder().setMemberID(member).setAlarm(type).build();
  }

  private List<AlarmMember> ask(AlarmAction action, long member, AlarmType type) {
    AlarmRequest request =
        AlarmRequest.newBuilder().setAction(action).setMemberID(member).setAlarm(type).build();
    Outcome outcome = machine.apply(new Command.Alarm(request)).outcomes().get(0);
    AlarmResponse response = Machine.parse(outcome, AlarmResponse::parseFrom);
    assertEquals(
        ResponseHeader.newBuilder().setRevision(machine.store().revision()).build(),
        response.getHeader());
    return response.getAlarmsList();
  }

  @Test
  void anAlarmStandsUntilItIsTakenBack() {
    AlarmMember space = alarm(-1, AlarmType.NOSPACE);
    AlarmMember corrupt = alarm(2, AlarmType.CORRUPT);
    assertEquals(List.of(), ask(AlarmAction.GET, 0, AlarmType.NONE));
    assertEquals(List.of(), ask(AlarmAction.ACTIVATE, -1, AlarmType.NONE));
    assertEquals(List.of(space), ask(AlarmAction.ACTIVATE, -1, AlarmType.NOSPACE));
    assertEquals(List.of(space), ask(AlarmAction.ACTIVATE, -1, AlarmType.NOSPACE));
    assertEquals(List.of(corrupt), ask(AlarmAction.ACTIVATE, 2, AlarmType.CORRUPT));
    assertEquals(List.of(corrupt, space), ask(AlarmAction.GET, 7, AlarmType.NONE));
    assertEquals(List.of(space), ask(AlarmAction.GET, 0, AlarmType.NOSPACE));
    machine.reopen();
    assertEquals(List.of(corrupt, space), machine.commands().alarms().all());
    assertEquals(List.of(), ask(AlarmAction.DEACTIVATE, 2, AlarmType.NOSPACE));
    assertEquals(List.of(space), ask(AlarmAction.DEACTIVATE, -1, AlarmType.NOSPACE));
    assertEquals(List.of(), ask(AlarmAction.DEACTIVATE, -1, AlarmType.NOSPACE));
    assertEquals(List.of(corrupt), machine.commands().alarms().all());
    machine.reopen();
    assertEquals(List.of(corrupt), machine.commands().alarms().all());
    assertEquals(1, machine.store().revision());
  }

  @Test
  void withoutSpaceNothingMayGrow() {
    machine.put("kept", "1");
    ask(AlarmAction.ACTIVATE, 9, AlarmType.NOSPACE);
    assertEquals(EtcdError.NO_SPACE, machine.refused(put()));
    assertEquals(EtcdError.NO_SPACE, machine.refused(txn(true, putOp())));
    assertEquals(EtcdError.NO_SPACE, machine.refused(txn(false, putOp())), "the other branch too");
    assertEquals(EtcdError.NO_SPACE, machine.refused(txn(true, nested(putOp()))));
    machine.txn(txnRequest(true, nested(deleteOp("absent"))));
    assertEquals(1, machine.txn(txnRequest(true, deleteOp("kept"))).getResponsesCount());
    assertEquals(3, machine.store().revision());
    assertEquals(0, machine.delete(Requests.delete("kept")).getDeleted());
    machine.compact(3);
    ask(AlarmAction.DEACTIVATE, 9, AlarmType.NOSPACE);
    assertEquals(4, machine.put("again", "1").getHeader().getRevision());
  }

  @Test
  void aCorruptClusterChangesNoKey() {
    machine.put("kept", "1");
    ask(AlarmAction.ACTIVATE, 9, AlarmType.CORRUPT);
    ask(AlarmAction.ACTIVATE, 9, AlarmType.NOSPACE);
    assertEquals(EtcdError.CORRUPT, machine.refused(put()));
    assertEquals(EtcdError.CORRUPT, machine.refused(txn(true, deleteOp("kept"))));
    assertEquals(
        EtcdError.CORRUPT, machine.refused(new Command.DeleteRange(Requests.delete("kept"))));
    assertEquals(EtcdError.CORRUPT, machine.refused(new Command.Compact(Requests.compact(2))));
    ask(AlarmAction.DEACTIVATE, 9, AlarmType.CORRUPT);
    assertEquals(EtcdError.NO_SPACE, machine.refused(put()));
    assertEquals(1, machine.delete(Requests.delete("kept")).getDeleted());
  }

  @Test
  void aMemberRaisesItsOwn() {
    AlarmMember mine = alarm(3, AlarmType.NOSPACE);
    machine.apply(new Command.RaiseAlarm(mine), new Command.RaiseAlarm(mine));
    assertEquals(List.of(mine), machine.commands().alarms().all());
    assertEquals(EtcdError.NO_SPACE, machine.refused(put()));
  }

  @Test
  void anAlarmHoldsFromTheNextCommandOfItsEntryOn() {
    AlarmRequest raise =
        AlarmRequest.newBuilder()
            .setAction(AlarmAction.ACTIVATE)
            .setMemberID(1)
            .setAlarm(AlarmType.NOSPACE)
            .build();
    List<Outcome> outcomes = machine.apply(put(), new Command.Alarm(raise), put()).outcomes();
    assertEquals(EtcdError.NO_SPACE, Machine.error(outcomes.get(2)));
    assertEquals(2, machine.store().revision());
  }

  @Test
  void theWishForAnOlderVersionIsKept() {
    DowngradeInfo wish =
        DowngradeInfo.newBuilder().setEnabled(true).setTargetVersion("3.6.0").build();
    machine.apply(new Command.Downgrade(wish));
    machine.reopen();
    try (ReadView view = machine.store().view()) {
      assertEquals(wish, DowngradeRow.in(view));
    }
    machine.apply(new Command.Downgrade(DowngradeInfo.getDefaultInstance()));
    try (ReadView view = machine.store().view()) {
      assertEquals(DowngradeInfo.getDefaultInstance(), DowngradeRow.in(view));
    }
  }

  private static Command put() {
    return new Command.Put(Requests.put("new", "1"));
  }

  private static Command txn(boolean success, RequestOp operation) {
    return new Command.Txn(txnRequest(success, operation));
  }

  private static TxnRequest txnRequest(boolean success, RequestOp operation) {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    return (success ? txn.addSuccess(operation) : txn.addFailure(operation)).build();
  }

  private static RequestOp putOp() {
    return Requests.op(Requests.put("new", "1"));
  }

  private static RequestOp deleteOp(String key) {
    return Requests.op(Requests.delete(key));
  }

  private static RequestOp nested(RequestOp operation) {
    return Requests.op(txnRequest(true, operation));
  }
}
