package io.tidemark.statemachine.read;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.Table;

/** Whether the cluster is to go back to an older version: a row of the META table. */
public final class DowngradeRow {
  /** Where the META table holds the serialized {@link DowngradeInfo}; absent: no downgrade. */
  public static final ByteString KEY = ByteString.copyFromUtf8("downgrade");

  private DowngradeRow() {}

  /**
   * What the view holds.
   *
   * @throws IllegalStateException if the store is damaged
   */
  public static DowngradeInfo in(ReadView view) {
    ByteString row = view.tableGet(Table.META, KEY);
    if (row == null) {
      return DowngradeInfo.getDefaultInstance();
    }
    try {
      return DowngradeInfo.parseFrom(row);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("unreadable row of the downgrade", e);
    }
  }
}
